// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests machine code of graphs, compared with the interpreter: results, and the frame at each guard and poll.
#include <functional>

#include "runtime/sync/synchronizer.h"
#include "runtime/threads/safepoint_protocol.h"
#include "tests/jit/lowered/lowered_fixture.h"

asm(R"(
.text
.globl leave_for_tests, enter_slowly_for_tests, leave_call_for_tests, leave_inlined_for_tests
.globl callee_of_lowered, searched_callee_of_lowered
leave_for_tests:
  mov %rdx, (%r13)
  mov %r13, %rdx
  mov %r12, %rcx
  mov $7, %eax
  ret
enter_slowly_for_tests:
  mov $8, %eax
  ret
leave_call_for_tests:
  mov %rdi, frame_left_in_call(%rip)
  mov %r14, locals_left_in_call(%rip)
  lea 8(%rsi), %eax
  ret
leave_inlined_for_tests:
  mov %rdi, frame_left_in_call(%rip)
  mov %r13, %rdx
  mov $11, %eax
  ret
searched_callee_of_lowered:
  mov 16(%rdi), %r12
  movzwl (%r12), %eax
  cmp searching_operation(%rip), %rax
  je searched_callee
  mov (%r13), %rdx
  mov handlers_for_lowered(%rip), %rsi
  mov (%r12), %rcx
  jmp *(%rsi,%rax,8)
searched_callee:
  xor %edx, %edx
callee_of_lowered:
  push %r15
  sub $32, %rsp
  mov %r13, %rsi
  mov %r15, %rcx
  mov %rsp, %r8
  call run_callee_for_tests
  mov 8(%rsp), %rdx
  mov 16(%rsp), %rcx
  add $32, %rsp
  pop %r15
  ret
)");

keyhole::Frame* frame_left_in_call;
keyhole::Slot* locals_left_in_call;
const void* handlers_for_lowered;
keyhole::u64 searching_operation;
static_assert(offsetof(keyhole::Frame, pc) == 16);

extern "C" keyhole::u64 run_callee_for_tests(keyhole::Frame*, keyhole::Slot*, keyhole::Method*, keyhole::JavaThread*,
                                             keyhole::llvm_plugin::Answer*);

namespace keyhole {
namespace {

using testing::ClassBuilder;
using testing::Outcome;

struct Callees : testing::LoweredTest {
  using LoweredTest::run_callee;
};

class LowerTest : public testing::LoweredTest {
 protected:
  static void expect_same_from_each_guard(Method* method, const std::function<std::vector<Slot>()>& arguments,
                                          const Outcome& expected) {
    for (usize number = 0;; ++number) {
      auto graph = build(method);
      if (number == guards_of(*graph).size()) return;
      make_fail(*graph, number);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      EXPECT_EQ(call(code, method, arguments()), expected) << "guard " << number << "\n" << graph::print(*graph);
    }
  }
};

TEST_F(LowerTest, VectorsDoWhatTheInterpreterDoes) {
  std::map<std::string, u32> refused;
  u32 compiled = 0, returned = 0;
  for_each_vector([&](const testing::Vector& vector, Method* method, std::span<const Slot> arguments) {
    Outcome expected = interpret(method, arguments);
    graph::Built made = graph::build(method);
    if (made.graph == nullptr) return;
    uptr code = compile(*made.graph);
    if (code == 0) {
      ++refused[refusal_];
      return;
    }
    ++compiled;
    EXPECT_EQ(call(code, method, arguments), expected) << vector.instruction << "\n" << graph::print(*made.graph);
    if (!has_left_) ++returned;
    graph::optimise(*made.graph);
    EXPECT_EQ(call(compile(*made.graph), method, arguments), expected) << vector.instruction << ", optimised";
    std::vector<Slot> same(arguments.begin(), arguments.end());
    expect_same_from_each_guard(method, [&] { return same; }, expected);
  });
  for (auto& [reason, count] : refused) RecordProperty(reason, static_cast<int>(count));
  EXPECT_TRUE(refused.empty()) << refused.begin()->first;
  EXPECT_GE(compiled, 250u);
  EXPECT_GE(returned, compiled * 3 / 4) << "the others leave";
}

TEST_F(LowerTest, LoopsOverArraysLeaveAtEachGuard) {
  Method* method = make("([II)J", R"(
      .locals 6
      lconst_0
      lstore_2
      iconst_0
      istore 4
    again:
      iload 4
      iload_1
      if_icmpge done
      lload_2
      aload_0
      iload 4
      iaload
      i2l
      ladd
      lstore_2
      aload_0
      iload 4
      lload_2
      l2i
      iastore
      iinc 4 1
      goto again
    done:
      lload_2
      lreturn
  )");
  Method* make_array = make("(I)[I", "iload_0\nnewarray int\nareturn\n");
  auto arguments = [&](i32 count) {  // each run gets an array of its own, which it changes
    std::vector<Slot> length{5};
    return std::vector<Slot>{interpret(make_array, length).result, static_cast<u32>(count)};
  };
  std::string text = low::print(graph::lower(*build(method)).function);
  EXPECT_NE(text.find("load thread"), std::string::npos);
  EXPECT_NE(text.find(" each_time"), std::string::npos) << "the poll: " << text;
  for (i32 count : {0, 1, 5, 6}) {
    Outcome expected = interpret(method, arguments(count));
    ASSERT_EQ(expected.exception.empty(), count <= 5) << expected;
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call(code, method, arguments(count)), expected);
    EXPECT_EQ(has_left_, count > 5);
    constexpr u32 safepoint = SafepointProtocol<HardwareWorld, JavaThread>::safepoint_bit;
    constexpr u32 sample = SafepointProtocol<HardwareWorld, JavaThread>::sample_bit;
    EXPECT_EQ(call(code, method, arguments(count), safepoint), expected);
    EXPECT_EQ(has_left_, count > 0) << "its poll is armed";
    EXPECT_EQ(call(code, method, arguments(count), sample | safepoint), expected);
    EXPECT_EQ(has_left_, count > 0);
    EXPECT_EQ(call(code, method, arguments(count), sample), expected);
    EXPECT_EQ(has_left_, count > 5) << "code of this tier is not sampled";
    EXPECT_EQ(poll_, count > 0 ? 0 : sample);
    constexpr u32 execution_sample = SafepointProtocol<HardwareWorld, JavaThread>::execution_sample_bit;
    EXPECT_EQ(call(code, method, arguments(count), execution_sample), expected);
    EXPECT_EQ(has_left_, count > 0) << "code that was compiled without a recording has no site for it";
    expect_same_from_each_guard(method, [&] { return arguments(count); }, expected);
  }
}

TEST_F(LowerTest, ArithmeticOnEdgesOfItsRange) {
  u32 compared = 0;
  for_each_arithmetic([&](Method* method, std::span<const std::vector<Slot>> edges) {
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    for (const std::vector<Slot>& arguments : edges) {
      EXPECT_EQ(call(code, method, arguments), interpret(method, arguments))
          << method->external_name() << graph::print(*graph);
      ++compared;
    }
  });
  EXPECT_GE(compared, 3000u);
}

TEST_F(LowerTest, BranchesOnThreeWayComparisons) {
  for (auto [compare, letter] :
       {std::pair{"lcmp", 'l'}, {"fcmpl", 'f'}, {"fcmpg", 'f'}, {"dcmpl", 'd'}, {"dcmpg", 'd'}}) {
    bool is_wide = letter != 'f';
    const char* descriptor = letter == 'l' ? "(JJ)I" : letter == 'f' ? "(FF)I" : "(DD)I";
    for (const char* branch : {"ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"}) {
      Method* method = make(descriptor, fmt::format("{0}load 0\n{0}load {1}\n{2}\n{3} yes\niconst_0\nireturn\n"
                                                    "yes:\niconst_1\nireturn\n",
                                                    letter, is_wide ? 2 : 1, compare, branch));
      auto graph = build(method);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      for (Slot left : edges_of(letter)) {
        for (Slot right : edges_of(letter)) {
          std::vector<Slot> arguments = is_wide ? std::vector<Slot>{0, left, 0, right} : std::vector<Slot>{left, right};
          EXPECT_EQ(call(code, method, arguments), interpret(method, arguments)) << compare << " " << branch;
        }
      }
    }
  }
}

// Several edges lead from one switch to the same block. The block's phi is read on each of these edges, and gets the
// same value on all of them. This value lives across a call.
TEST_F(LowerTest, ABlockMayBeASuccessorTwice) {
  Method* method = make("(II)I", R"(
      .locals 3
      iload_1
      iconst_3
      iadd
      istore_2
      invokestatic java/lang/System.nanoTime ()J
      pop2
      iload_0
      ifeq skip
      iload_0
      tableswitch 1 both both default both
    skip:
      iconst_5
      istore_2
    both:
      iload_2
      ireturn
  )");
  auto arguments = [](i32 a) { return std::vector<Slot>{slot_of(a), slot_of(i32{40})}; };
  for (i32 a : {0, 1, 2, 3}) ASSERT_EQ(interpret(method, arguments(a)).exception, "");
  auto graph = build(method);
  uptr code = compile(*graph);
  ASSERT_NE(code, 0u) << refusal_;
  for (i32 a : {0, 1, 2, 3}) {
    Outcome expected = interpret(method, arguments(a));
    EXPECT_EQ(call(code, method, arguments(a)), expected) << graph::print(*graph);
    EXPECT_FALSE(has_left_);
  }
}

TEST_F(LowerTest, LocksAreHeldWhereItLeaves) {
  Method* method = make("([II)I", R"(
      .locals 3
      aload_0
      monitorenter
      aload_0
      iload_1
      iaload
      istore_2
      aload_0
      monitorenter
      iload_2
      bipush 7
      iload_1
      idiv
      iadd
      aload_0
      monitorexit
      aload_0
      monitorexit
      ireturn
  )");
  Method* make_array = make("(I)[I", "iload_0\nnewarray int\nareturn\n");
  std::vector<Slot> five{5};
  u64 array = interpret(make_array, five).result;
  for (i32 index : {1, 0, 4, 5}) {
    std::vector<Slot> arguments{array, static_cast<u32>(index)};
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call(code, method, arguments), expected) << index;
    EXPECT_EQ(has_left_, index == 0 || index == 5);
    EXPECT_FALSE(sync::holds_lock(testing::vm_thread(), object_of(array))) << index;
    expect_same_from_each_guard(method, [&] { return arguments; }, expected);
  }
}

TEST_F(LowerTest, RecursionCallsItself) {
  Method* method = make("(I)I", R"(
      iload_0
      iconst_2
      if_icmpge more
      iload_0
      ireturn
    more:
      iload_0
      iconst_1
      isub
      invokestatic self.run (I)I
      iload_0
      iconst_2
      isub
      invokestatic self.run (I)I
      iadd
      ireturn
  )");
  std::vector<Slot> arguments{15};
  Outcome expected = interpret(method, arguments);
  auto graph = build(method);
  graph::optimise(*graph);
  EXPECT_EQ(call(compile(*graph), method, arguments), expected);
}

// A deopt exit at code that was never executed has a counter.
TEST_F(LowerTest, ExitsCount) {
  Method* method = make("(I)I", R"(
      iload_0
      ifge positive
      iload_0
      invokestatic java/lang/Math.abs (I)I
      ireturn
    positive:
      iload_0
      ireturn
  )");
  std::vector<Slot> two{2}, minus_two{slot_of(i32{-2})};
  interpret(method, two);
  auto graph = build(method);
  uptr code = compile(*graph);
  ASSERT_EQ(deopt_exits_.size(), 1u);
  EXPECT_EQ(deopt_exits_[0].method, method);
  EXPECT_EQ(deopt_exits_[0].reason, graph::DeoptReason::Unresolved);
  for (u32 i = 1; i < 4; ++i) {
    EXPECT_EQ(call(code, method, two).result, 2u);
    EXPECT_EQ(call(code, method, minus_two).result, 2u);
    EXPECT_EQ(exit_counts_[0], i);
  }
}

// The monitor of a synchronized method is the method's first lock. It is held during the method's calls and at its
// deopt exits, and is released where the method returns.
TEST_F(LowerTest, SynchronizedMethodsLockAtTheirEntry) {
  ClassBuilder builder("LoweredSynchronized", "java/lang/Object", 49);
  builder.default_constructor();
  builder.method(access::Public | access::Static | access::Synchronized, "held", "(I)I", R"(
      bipush 100
      iload_0
      idiv
      iload_0
      invokestatic java/lang/Math.abs (I)I
      iadd
      ldc class LoweredSynchronized
      invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z
      iadd
      ireturn
  )");
  InstanceKlass* klass = testing::define(builder);
  Method* method = klass->find_declared_method(Symbol::intern("held"), Symbol::intern("(I)I"));
  std::vector<Slot> seven{7};
  ASSERT_EQ(interpret(method, seven).result, 14u + 7 + 1);
  for (i32 argument : {7, 0}) {
    for (u64 leaving : {u64{0}, u64{1}, ~u64{0}}) {
      std::vector<Slot> arguments{slot_of(argument)};
      Outcome expected = interpret(method, arguments);
      auto graph = build(method);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      calls_before_leaving_ = leaving;
      EXPECT_EQ(call(code, method, arguments), expected);
      calls_before_leaving_ = ~u64{0};
      EXPECT_FALSE(sync::holds_lock(testing::vm_thread(), klass->mirror));
    }
  }
}

// After the last call, the code needs the receiver only to release the receiver's monitor.
TEST_F(LowerTest, SynchronizedMethodsUnlockWhatTheyDoNotReadAnyMore) {
  ClassBuilder builder("LoweredTail", "java/lang/Object", 49);
  builder.default_constructor();
  builder.method(access::Public | access::Static, "make", "()LLoweredTail;", R"(
      new LoweredTail
      dup
      invokespecial LoweredTail.<init> ()V
      areturn
  )");
  builder.method(access::Public | access::Synchronized, "held", "()I", R"(
      aload_0
      invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z
      ireturn
  )");
  builder.method(access::Public | access::Static, "run", "(LLoweredTail;)I", R"(
      aload_0
      invokevirtual LoweredTail.held ()I
      aload_0
      invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z
      iconst_2
      imul
      iadd
      ireturn
  )");
  InstanceKlass* klass = testing::define(builder);
  auto find = [klass](const char* name, const char* descriptor) {
    return klass->find_declared_method(Symbol::intern(name), Symbol::intern(descriptor));
  };
  // Each call gets a new object. The call causes a collection, which moves the object.
  auto receiver = [&] { return std::vector<Slot>{interpret(find("make", "()LLoweredTail;"), {}).result}; };
  for (Method* method : {find("held", "()I"), find("run", "(LLoweredTail;)I")}) {
    EXPECT_EQ(interpret(method, receiver()).result, 1u);
    for (u64 leaving : {u64{0}, u64{1}, ~u64{0}}) {
      graph::Built made = graph::build(method, {.inlines = true, .look_at = {}, .has_failed = {}});
      ASSERT_NE(made.graph, nullptr) << made.refusal;
      graph::optimise(*made.graph);
      uptr code = compile(*made.graph);
      ASSERT_NE(code, 0u) << refusal_;
      calls_before_leaving_ = leaving;
      EXPECT_EQ(call(code, method, receiver()).result, 1u) << graph::print(*made.graph);
      calls_before_leaving_ = ~u64{0};
    }
  }
}

// Handlers catch the exceptions of a call and of an athrow. Values that are live in a handler are in their stack slots.
// After the next call the caught exception is in its stack slot, too.
TEST_F(LowerTest, ExceptionsAreCaught) {
  Method* method = make("(ILjava/lang/String;)Ljava/lang/String;", R"(
      .locals 5
      aload_1
      astore_2
    from:
      aload_1
      iload_0
      invokevirtual java/lang/String.charAt (I)C
      istore_3
      iload_3
      bipush 55
      if_icmpeq to
      new java/lang/IllegalStateException
      dup
      aload_2
      invokespecial java/lang/IllegalStateException.<init> (Ljava/lang/String;)V
      athrow
    to:
      aload_1
      areturn
    first:
      astore 4
      aload_2
      aload_2
      invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
      pop
      aload 4
      invokevirtual java/lang/Throwable.getMessage ()Ljava/lang/String;
      aload_2
      invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
      areturn
      .catch java/lang/IllegalStateException from to first
      .catch java/lang/IndexOutOfBoundsException from to first
  )");
  Method* make_string =
      make("(I)Ljava/lang/String;", "iload_0\ninvokestatic java/lang/String.valueOf (I)Ljava/lang/String;\nareturn\n");
  Method* hash = make("(Ljava/lang/String;)I", "aload_0\ninvokevirtual java/lang/String.hashCode ()I\nireturn\n");
  auto arguments = [&](i32 index) {
    std::vector<Slot> number{575};
    return std::vector<Slot>{slot_of(index), interpret(make_string, number).result};
  };
  auto hash_of = [&](const Outcome& outcome) {
    std::vector<Slot> argument{outcome.result};
    return outcome.exception.empty() ? interpret(hash, argument) : outcome;
  };
  for (i32 index : {0, 5}) interpret(method, arguments(index));
  for (i32 index : {0, 1, 5}) {
    for (u64 leaving : {u64{0}, u64{1}, u64{2}, u64{3}, ~u64{0}}) {
      Outcome expected = hash_of(interpret(method, arguments(index)));
      EXPECT_EQ(expected.exception, "");
      auto graph = build(method);
      graph::optimise(*graph);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      calls_before_leaving_ = leaving;
      EXPECT_EQ(hash_of(call(code, method, arguments(index))), expected) << graph::print(*graph);
      calls_before_leaving_ = ~u64{0};
      EXPECT_FALSE(has_left_);
    }
  }
}

TEST_F(LowerTest, AStepMakesArraysOfSeveralDimensions) {
  Method* method = make("(II)I", R"(
    from:
      iload_0
      iload_1
      multianewarray [[J 2
      iconst_0
      aaload
      arraylength
    to:
      ireturn
    handler:
      pop
      iconst_m1
      ireturn
      .catch java/lang/NegativeArraySizeException from to handler
  )");
  interpret(method, std::vector<Slot>{slot_of(-1), slot_of(1)});
  for (i32 first : {3, -1}) {
    std::vector<Slot> arguments{slot_of(first), slot_of(4)};
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call(code, method, arguments), expected);
    EXPECT_FALSE(has_left_);
  }
}

// The inline cache of the call site has the class of the first receiver.
TEST_F(LowerTest, AnotherClassIsFoundInItsTables) {
  Method* length = make("(Ljava/lang/Object;)I",
                        "aload_0\ncheckcast java/lang/CharSequence\ninvokeinterface java/lang/CharSequence.length ()I\n"
                        "ireturn\n");
  auto made = [&](const char* assembly) { return interpret(make("()Ljava/lang/Object;", assembly), {}).result; };
  auto string = [&] { return std::vector<Slot>{made("ldc \"abc\"\nareturn\n")}; };
  auto builder = [&] {
    return std::vector<Slot>{
        made("new java/lang/StringBuilder\ndup\nldc \"four\"\ninvokespecial "
             "java/lang/StringBuilder.<init> (Ljava/lang/String;)V\nareturn\n")};
  };
  std::vector<Slot> first = string();
  ASSERT_EQ(interpret(length, first).result, 3u);
  uptr code = compile(*build(length));
  ASSERT_NE(code, 0u) << refusal_;
  EXPECT_EQ(call(code, length, string()).result, 3u);
  EXPECT_EQ(searches_, 0u);
  EXPECT_EQ(call(code, length, builder()).result, 4u);
  EXPECT_EQ(searches_, 0u);
  EXPECT_EQ(call(code, length, string()).result, 3u);
}

// After each call, the objects have moved and the registers are overwritten.
TEST_F(LowerTest, ValuesLiveAcrossCallsInTheirStackSlots) {
  Method* method = make("(ILjava/lang/String;J)Ljava/lang/String;", R"(
      .locals 8
      aload_1
      astore 4
      iconst_0
      istore 5
      lload_2
      l2d
      dstore 6
    again:
      iload 5
      iload_0
      if_icmpge done
      aload 4
      aload_1
      invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
      iload 5
      i2l
      lload_2
      invokestatic java/lang/Math.max (JJ)J
      dload 6
      invokestatic java/lang/Math.abs (D)D
      d2l
      ladd
      invokestatic java/lang/String.valueOf (J)Ljava/lang/String;
      checkcast java/lang/CharSequence
      invokeinterface java/lang/CharSequence.toString ()Ljava/lang/String;
      invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
      astore 4
      iinc 5 1
      goto again
    done:
      aload 4
      aload_1
      invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
      areturn
  )");
  Method* make_string =
      make("(I)Ljava/lang/String;", "iload_0\ninvokestatic java/lang/String.valueOf (I)Ljava/lang/String;\nareturn\n");
  Method* hash = make("(Ljava/lang/String;)I", "aload_0\ninvokevirtual java/lang/String.hashCode ()I\nireturn\n");
  auto hash_of = [&](const Outcome& outcome) {
    std::vector<Slot> argument{outcome.result};
    return interpret(hash, argument);
  };
  for (bool is_optimised : {false, true}) {
    for (u64 leaving = 0; leaving < 12; ++leaving) {
      auto arguments = [&] {
        std::vector<Slot> number{77};
        return std::vector<Slot>{3, interpret(make_string, number).result, 0xDEAD, 1000};
      };
      Outcome expected = hash_of(interpret(method, arguments()));
      ASSERT_EQ(expected.exception, "");
      auto graph = build(method);
      if (is_optimised) graph::optimise(*graph);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      calls_before_leaving_ = leaving;
      EXPECT_EQ(hash_of(call(code, method, arguments())), expected) << "left at call " << leaving;
      calls_before_leaving_ = ~u64{0};
    }
  }
}

}  // namespace
}  // namespace keyhole

extern "C" keyhole::u64 run_callee_for_tests(keyhole::Frame* frame, keyhole::Slot* slot, keyhole::Method* method,
                                             keyhole::JavaThread* thread, keyhole::llvm_plugin::Answer* answer) {
  return keyhole::Callees::run_callee(frame, slot, method, thread, answer);
}
