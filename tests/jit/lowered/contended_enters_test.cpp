// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests enters whose fast path fails, in machine code: the interpreter's handler enters, and the code continues.
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;
using testing::Outcome;
using testing::vm_thread;

class ContendedEntersTest : public testing::LoweredTest {
 protected:
  // As compiled: with all phases.
  static std::unique_ptr<graph::Graph> built(Method* method, u32 steps) {
    auto graph = build(method);
    graph::optimise(*graph);
    EXPECT_EQ(graph::call_contended_enters(*graph), steps != 0);
    EXPECT_EQ(graph::verify(*graph), "") << graph::print(*graph);
    u32 found = 0;
    for (const graph::Block* block : graph->blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == graph::Op::try_enter ? 1 : 0;
    }
    EXPECT_EQ(found, steps) << graph::print(*graph);
    return graph;
  }
};

// A method with parameters (lock, string). All values that live after the enter are in locals, except one number, which
// has no stack slot.
constexpr const char* locked = R"(
    .locals 3
    aload_1
    invokevirtual java/lang/String.length ()I
    aload_0
    dup
    astore_2
    monitorenter
    aload_1
    invokevirtual java/lang/String.length ()I
    iadd
    aload_2
    invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z
    iadd
    aload_2
    monitorexit
    ireturn
)";

TEST_F(ContendedEntersTest, TheCodeGoesOnBehindAStep) {
  Method* method = make("(Ljava/lang/Object;Ljava/lang/String;)I", locked);
  Method* make_string = make("()Ljava/lang/String;",
                             "bipush 12\ninvokestatic java/lang/String.valueOf "
                             "(I)Ljava/lang/String;\nareturn\n");
  auto arguments = [&] {
    Slot string = interpret(make_string, {}).result;
    return std::vector<Slot>{slot_of(method->holder->mirror), string};
  };
  ASSERT_EQ(interpret(method, arguments()).result, 5u);
  uptr code = compile(*built(method, 1));
  ASSERT_NE(code, 0u) << refusal_;
  for (bool is_slow : {false, true}) {
    std::optional<FullLockStack> full;
    if (is_slow) full.emplace();
    EXPECT_EQ(call(code, method, arguments()).result, 5u) << is_slow;
    EXPECT_FALSE(has_left_);
    EXPECT_FALSE(sync::holds_lock(vm_thread(), method->holder->mirror));
  }
}

// The handler enters the monitor, but compiled code must not continue. The interpreter continues after the
// monitorenter, with an operand on top of the stack.
TEST_F(ContendedEntersTest, TheInterpreterGoesOnBehindAStep) {
  Method* method = make("(Ljava/lang/Object;I)I", R"(
      .locals 3
      iload_1
      aload_0
      dup
      astore_2
      monitorenter
      iconst_3
      iadd
      aload_2
      monitorexit
      ireturn
  )");
  std::vector<Slot> arguments{slot_of(method->holder->mirror), 4};
  ASSERT_EQ(interpret(method, arguments).result, 7u);
  flags::ReturnStressInterval = 1;
  uptr code = compile(*built(method, 1));
  flags::ReturnStressInterval = 0;
  FullLockStack full;
  EXPECT_EQ(call(code, method, arguments).result, 7u);
  EXPECT_FALSE(sync::holds_lock(vm_thread(), method->holder->mirror));
}

TEST_F(ContendedEntersTest, WhatTheHandlerThrowsLeaves) {
  Method* method = make("(Ljava/lang/Object;Ljava/lang/String;)I", locked);
  Slot string = interpret(make("()Ljava/lang/String;", "ldc \"ab\"\nareturn\n"), {}).result;
  std::vector<Slot> arguments{slot_of(method->holder->mirror), string};
  ASSERT_EQ(interpret(method, arguments).exception, "");
  uptr code = compile(*built(method, 1));
  u32 capacity = vm_thread()->lock_record_capacity;
  vm_thread()->lock_record_capacity = vm_thread()->lock_record_top;  // no room for a record
  Outcome outcome = call(code, method, arguments);
  vm_thread()->lock_record_capacity = capacity;
  EXPECT_EQ(outcome.exception, "java/lang/StackOverflowError");
}

// E1 of contended_enters.cpp: the enter of an inlined synchronized method does not call the handler of monitorenter.
// The inlined method of this test is static. So its call has no operands, and no rule but E1 forbids the handler.
TEST_F(ContendedEntersTest, AnInlinedMethodsMonitorIsNoStep) {
  ClassBuilder builder("ContendedInlined", "java/lang/Object", 49);
  builder.default_constructor();
  builder.method(access::Public | access::Static | access::Synchronized, "two", "()I", "iconst_2\nireturn\n");
  builder.method(access::Public | access::Static, "four", "()I", R"(
      invokestatic ContendedInlined.two ()I
      invokestatic ContendedInlined.two ()I
      iadd
      ireturn
  )");
  InstanceKlass* klass = testing::define(builder);
  Method* method = klass->find_declared_method(Symbol::intern("four"), Symbol::intern("()I"));
  ASSERT_EQ(interpret(method, {}).result, 4u);
  graph::BuildOptions options;
  options.inlines = true;
  graph::Built made = graph::build(method, options);
  ASSERT_NE(made.graph, nullptr) << made.refusal;
  EXPECT_FALSE(graph::call_contended_enters(*made.graph)) << graph::print(*made.graph);
}

// contended_enters.cpp E2.
TEST_F(ContendedEntersTest, WhatWouldBeLostIsLeftToTheInterpreter) {
  Method* method = make("(Ljava/lang/Object;)I", R"(
      aload_0
      dup
      aconst_null
      astore_0
      monitorenter
      monitorexit
      iconst_1
      ireturn
  )");
  std::vector<Slot> arguments{slot_of(method->holder->mirror)};
  ASSERT_EQ(interpret(method, arguments).result, 1u);
  EXPECT_NE(compile(*built(method, 1)), 0u) << "the other operand has a slot";
  // In the method `locked` above, the value without a stack slot is a number. Here it is a reference to the inner
  // array, for which the frame state of the enter has no slot.
  method = make("([[II)I", R"(
      .locals 3
      aload_0
      iload_1
      aaload
      astore_2
      aload_0
      monitorenter
      aload_2
      arraylength
      aload_0
      monitorexit
      ireturn
  )");
  auto graph = build(method);
  graph::optimise(*graph);
  for (const graph::Block* block : graph->blocks) {
    for (graph::Node* node : block->nodes) {
      if (node->op == graph::Op::monitor_enter) node->state->locals[2] = nullptr;
    }
  }
  EXPECT_FALSE(graph::call_contended_enters(*graph));
}

}  // namespace
}  // namespace keyhole
