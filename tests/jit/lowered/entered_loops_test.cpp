// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests machine code that an interpreter's frame enters at a loop's header.
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;
using testing::Outcome;
using testing::vm_thread;

class EnteredLoopTest : public testing::LoweredTest {
 protected:
  static graph::Built built_at(Method* method, u32 header_bci, bool inlines) {
    graph::BuildOptions options;
    options.inlines = inlines;
    options.loop = static_cast<i32>(header_bci);
    graph::Built made = graph::build(method, options);
    if (made.graph != nullptr) graph::optimise(*made.graph);
    return made;
  }
};

// Code is entered at the header of the inner one of two loops, with the locals of an existing frame.
TEST_F(EnteredLoopTest, LocalsAreThoseOfTheFrame) {
  Method* method = make("(Ljava/lang/String;I)J", R"(
      .locals 6
      lconst_0
      lstore_2
      iconst_0
      istore 4
    outer:
      iconst_0
      istore 5
    inner:
      iload 5
      iload 4
      if_icmpge ended
      lload_2
      aload_0
      invokevirtual java/lang/String.length ()I
      iload 5
      iadd
      i2l
      ladd
      lstore_2
      iinc 5 1
      goto inner
    ended:
      iinc 4 1
      iload 4
      iload_1
      if_icmplt outer
      lload_2
      lreturn
  )");
  constexpr u32 inner_bci = 8;
  Method* make_string =
      make("(I)Ljava/lang/String;", "iload_0\ninvokestatic java/lang/String.valueOf (I)Ljava/lang/String;\nareturn\n");
  std::vector<Slot> three_digits{777};
  auto string = [&] { return interpret(make_string, three_digits).result; };
  // Computes in C++ what the loops add to `sum` when they start at (outer, inner).
  auto sum_from = [](i32 outer, i32 inner, i32 end, i64 sum) {
    for (;;) {
      for (; inner < outer; ++inner) sum += 3 + inner;
      if (++outer >= end) return sum;
      inner = 0;
    }
  };
  std::vector<Slot> arguments{string(), 6};
  ASSERT_EQ(interpret(method, arguments).result, static_cast<u64>(sum_from(0, 0, 6, 0)));
  for (bool inlines : {false, true}) {
    graph::Built made = graph::build(method, {.inlines = inlines, .loop = inner_bci, .look_at = {}, .has_failed = {}});
    ASSERT_NE(made.graph, nullptr) << made.refusal;
    graph::optimise(*made.graph);
    for (u64 leaving : {u64{0}, u64{3}, ~u64{0}}) {
      uptr code = compile(*made.graph);
      calls_before_leaving_ = leaving;
      std::vector<Slot> locals{string(), 6, 0xDEAD, 1000, 3, 1};
      EXPECT_EQ(call_in_loop(code, method, locals).result, static_cast<u64>(sum_from(3, 1, 6, 1000)))
          << graph::print(*made.graph);
      calls_before_leaving_ = ~u64{0};
    }
  }
}

// A method with parameters (locked, limit). It locks the object. Each iteration of its loop locks the object once more,
// and adds 3 to a counter, until the counter has reached the limit.
constexpr const char* locked_turns = R"(
    .locals 5
    aload_0
    dup
    astore_2
    monitorenter
    iconst_0
    istore_3
  header:
    iload_3
    iload_1
    if_icmpge ended
    aload_2
    dup
    astore 4
    monitorenter
    bipush -3
    invokestatic java/lang/Math.abs (I)I
    iload_3
    iadd
    istore_3
    aload 4
    monitorexit
    goto header
  ended:
    aload_2
    monitorexit
    iload_3
    ireturn
)";
constexpr u32 header_of_locked_turns = 6;

class EnteredWithMonitorsTest : public EnteredLoopTest {
 protected:
  void SetUp() override {
    EnteredLoopTest::SetUp();
    method_ = make("(Ljava/lang/Object;I)I", locked_turns);
    ASSERT_EQ(interpret(method_, std::vector<Slot>{lock(), 9}).result, 9u);
    graph::Built made = built_at(method_, header_of_locked_turns, true);
    ASSERT_NE(made.graph, nullptr) << made.refusal;
    graph_ = std::move(made.graph);
    code_at_header_ = compile(*graph_);
    ASSERT_NE(code_at_header_, 0u) << refusal_;
  }
  // The methods lock mirrors, because a mirror lives as long as its class.
  Slot lock() const { return slot_of(method_->holder->mirror); }
  Slot other_lock() const { return slot_of(method_->holder->super->mirror); }

  // Enters the code in the third of seven iterations: the counter is 6, the limit is 21.
  Outcome go_on(std::span<const Slot> held) {
    std::vector<Slot> locals{lock(), 21, lock(), 6, 0xDEAD};
    return call_in_loop(code_at_header_, method_, locals, held);
  }
  bool is_held() const { return sync::holds_lock(vm_thread(), object_of(lock())); }

  Method* method_ = nullptr;
  std::unique_ptr<graph::Graph> graph_;
  uptr code_at_header_ = 0;
};

TEST_F(EnteredWithMonitorsTest, WhatTheFrameHoldsIsGivenBackBehindTheLoop) {
  // The first run does not deoptimize. The second and the third run deoptimize in the first and the third call of the
  // loop, where one level of the lock is eliminated.
  for (u64 leaving : {~u64{0}, u64{0}, u64{2}}) {
    calls_before_leaving_ = leaving;
    Outcome outcome = go_on(std::vector<Slot>{lock()});
    calls_before_leaving_ = ~u64{0};
    EXPECT_EQ(outcome.result, 21u);
    EXPECT_EQ(outcome.exception, "");
    EXPECT_EQ(has_left_, false) << graph::print(*graph_);
    EXPECT_FALSE(is_held());
  }
}

// The code deoptimizes before the loop, because the frame does not hold exactly the monitors that the graph expects.
// The interpreter continues.
TEST_F(EnteredWithMonitorsTest, AFrameThatHoldsOtherMonitorsIsTheInterpreters) {
  for (const std::vector<Slot>& held : {std::vector<Slot>{}, {other_lock()}, {lock(), other_lock()}}) {
    Outcome outcome = go_on(held);
    EXPECT_TRUE(has_left_) << held.size();
    EXPECT_EQ(outcome.exception, "java/lang/IllegalMonitorStateException");
    EXPECT_FALSE(is_held());
  }
}

TEST_F(EnteredWithMonitorsTest, LevelsThatAreLeftOutHaveRoomForTheirRecords) {
  ASSERT_EQ(graph_->eliminated_levels, 1u) << graph::print(*graph_);
  u32 capacity = vm_thread()->lock_record_capacity;
  for (u32 room : {1u, 2u}) {
    vm_thread()->lock_record_capacity = vm_thread()->lock_record_top + room;
    Outcome outcome = go_on(std::vector<Slot>{lock()});
    vm_thread()->lock_record_capacity = capacity;
    EXPECT_EQ(has_left_, room == 1);
    EXPECT_EQ(outcome.exception, room == 1 ? "java/lang/IllegalMonitorStateException" : "") << "the frame holds one";
  }
}

// N4 of nested_locks.cpp: the frame has already entered the inner level, so the level is not eliminated.
TEST_F(EnteredLoopTest, AMonitorThatIsHeldTwiceIsGivenBackTwice) {
  std::string locked = "aload_0\ndup\nastore_2\nmonitorenter\n", unlocked = "aload_2\nmonitorexit\n";
  Method* method = make("(Ljava/lang/Object;I)I", ".locals 3\n" + locked + locked + R"(
    header:
      iinc 1 -1
      iload_1
      ifgt header
  )" + unlocked + unlocked + "iload_1\nireturn\n");
  Slot lock = slot_of(method->holder->mirror);
  ASSERT_EQ(interpret(method, std::vector<Slot>{lock, 1}).exception, "");
  graph::Built made = built_at(method, 8, true);
  ASSERT_NE(made.graph, nullptr) << made.refusal;
  uptr code = compile(*made.graph);
  ASSERT_NE(code, 0u) << refusal_;
  EXPECT_EQ(call_in_loop(code, method, std::vector<Slot>{lock, 5, lock}, std::vector<Slot>{lock, lock}).result, 0u);
  EXPECT_FALSE(has_left_);
  EXPECT_FALSE(sync::holds_lock(vm_thread(), object_of(lock)));
}

TEST_F(EnteredLoopTest, AMethodsOwnMonitorIsHeld) {
  ClassBuilder builder("EnteredSynchronized", "java/lang/Object", 49);
  builder.default_constructor();
  const char* turns = R"(
      .locals 2
    header:
      iinc 1 -1
      iload_1
      ifgt header
      iload_1
      ireturn
  )";
  builder.method(access::Public | access::Synchronized, "ofObject", "(I)I", turns);
  builder.method(access::Public | access::Static | access::Synchronized, "ofClass", "(II)I", turns);
  InstanceKlass* klass = testing::define(builder);
  Method* of_object = klass->find_declared_method(Symbol::intern("ofObject"), Symbol::intern("(I)I"));
  Method* of_class = klass->find_declared_method(Symbol::intern("ofClass"), Symbol::intern("(II)I"));
  for (Method* method : {of_object, of_class}) {
    Slot object = slot_of(method == of_object ? klass->super->mirror : klass->mirror);
    ASSERT_EQ(interpret(method, std::vector<Slot>{object, 1}).exception, "");
    graph::Built made = built_at(method, 0, true);
    ASSERT_NE(made.graph, nullptr) << made.refusal;
    uptr code = compile(*made.graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call_in_loop(code, method, std::vector<Slot>{object, 5}, std::vector<Slot>{object}).result, 0u);
    EXPECT_FALSE(has_left_);
    EXPECT_FALSE(sync::holds_lock(vm_thread(), object_of(object)));
  }
}

// The code finds a frame's monitors through live locals, so it cannot find a monitor that none of these refers to.
TEST_F(EnteredLoopTest, AMonitorOfNoLocalIsRefused) {
  const char* turns = "header: iinc 1 -1\niload_1\nifgt header\niload_1\nireturn\n";
  for (std::string before : {"aload_0\nmonitorenter\naconst_null\nastore_0\n", "aload_0\nmonitorenter\n"}) {
    bool is_kept = before.find("astore") == std::string::npos;  // the local still refers to the object, but is dead
    Method* method = make("(Ljava/lang/Object;I)I", ".locals 2\n" + before + turns);
    graph::Built made = built_at(method, is_kept ? 2 : 4, false);
    EXPECT_EQ(made.refusal, "a monitor of no local at a loop's header");
  }
}

}  // namespace
}  // namespace keyhole
