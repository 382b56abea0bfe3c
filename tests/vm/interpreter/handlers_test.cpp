// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests handlers, decoder and superinstructions on methods made by hand, without a booted VM: nothing here resolves,
// allocates or throws.
#include <gtest/gtest.h>

#include <string>

#include "runtime/base/flags.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "tests/support/class_builder.h"
#include "tests/support/own_calls.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/interpreter.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {
namespace {

using interpreter::Operation;
using testing::ClassBuilder;

class Handlers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (thread_ != nullptr) return;
    if (names::java_lang_Object == nullptr) names::initialize();
    thread_ = threads::current_or_null();
    if (thread_ == nullptr) thread_ = threads::attach_current(false, false, 0);
    loader_ = new LoaderData();
  }

  // Assembles the class and links its calls of its own methods. Returns its static method `run`.
  Method* make(ClassBuilder& builder) {
    testing::LooseClass loose = builder.loose();
    testing::link_own_calls(loose, loader_);
    return loose.method("run");
  }
  Method* make(const char* descriptor, const char* assembly) {
    ClassBuilder builder(fmt::format("Loose{}", ++count_));
    builder.method(access::Static, "run", descriptor, assembly);
    return make(builder);
  }
  u64 call(Method* method, std::initializer_list<Slot> arguments = {}) {
    return call_java(thread_, method, std::span<const Slot>(arguments.begin(), arguments.size()));
  }
  i32 run_int(const char* descriptor, const char* assembly, std::initializer_list<Slot> arguments = {}) {
    return static_cast<i32>(call(make(descriptor, assembly), arguments));
  }
  static bool uses(const Method* method, Operation operation) {
    const MethodCode* code = method->body.load();
    for (u32 i = 0; i < code->instruction_count; ++i) {
      if (interpreter::operation_of(interpreter::load_instruction(&code->instructions()[i])) == operation) return true;
    }
    return false;
  }

  static inline JavaThread* thread_ = nullptr;
  static inline LoaderData* loader_ = nullptr;
  static inline int count_ = 0;
};

TEST_F(Handlers, ConstantsOfEveryKind) {
  EXPECT_EQ(run_int("()I", "iconst_m1\n ireturn"), -1);
  EXPECT_EQ(run_int("()I", "sipush -300\n ireturn"), -300);
  EXPECT_EQ(run_int("()I", "ldc 123456789\n ireturn"), 123456789);
  EXPECT_EQ(call(make("()J", "ldc2_w 1234567890123L\n lreturn")), 1234567890123u);
  EXPECT_EQ(call(make("()J", "ldc2_w -5L\n lreturn")), static_cast<u64>(-5));
  EXPECT_EQ(__builtin_bit_cast(f64, call(make("()D", "ldc2_w 0.1d\n dreturn"))), 0.1);
  EXPECT_EQ(__builtin_bit_cast(f64, call(make("()D", "dconst_1\n dreturn"))), 1.0);
  EXPECT_EQ(call(make("()D", "ldc2_w -0.0d\n dreturn")), u64{1} << 63);
  EXPECT_EQ(static_cast<u32>(call(make("()F", "fconst_2\n freturn"))), 0x40000000u);
}

TEST_F(Handlers, ArgumentsLieInTheCalleesLocals) {
  EXPECT_EQ(call(make("(IJI)J", "lload_1\n iload_0\n i2l\n ladd\n iload_3\n i2l\n lsub\n lreturn"), {7, 0, 1000, 2}),
            1005u);
}

TEST_F(Handlers, NarrowReturnTypesAreNarrowed) {
  EXPECT_EQ(call(make("()Z", "iconst_3\n ireturn")), 1u);
  EXPECT_EQ(static_cast<i32>(call(make("()B", "sipush 200\n ireturn"))), -56);
  EXPECT_EQ(static_cast<i32>(call(make("()C", "iconst_m1\n ireturn"))), 65535);
  EXPECT_EQ(static_cast<i32>(call(make("()S", "ldc 40000\n ireturn"))), -25536);
}

TEST_F(Handlers, LoopsBranchBackward) {
  Method* sum = make("(I)I", R"(
      iconst_0
      istore_1
      iconst_0
      istore_2
    top:
      iload_2
      iload_0
      if_icmpge done
      iload_1
      iload_2
      iadd
      istore_1
      iinc 2 1
      goto top
    done:
      iload_1
      ireturn
  )");
  EXPECT_EQ(static_cast<i32>(call(sum, {10})), 45);
  EXPECT_EQ(static_cast<i32>(call(sum, {100000})), 704982704);
  EXPECT_TRUE(uses(sum, Operation::load_load_if_icmpge));
  EXPECT_TRUE(uses(sum, Operation::iinc_goto_back));
  EXPECT_TRUE(uses(sum, Operation::constant_store));
}

TEST_F(Handlers, StressTakesEachPollOnce) {
  Method* sum = make("(I)I", R"(
      iconst_0
      istore_1
    top:
      iload_0
      ifle done
      iload_1
      iload_0
      iadd
      istore_1
      iinc 0 -1
      goto top
    done:
      iload_1
      ireturn
  )");
  static int collections = 0;
  flags::GCStressSafepointInterval = 1;
  safepoint::stress_hook = [](JavaThread*) { ++collections; };
  safepoint::arm_stress(thread_);  // the flag arms only threads that start after it was set
  thread_->dispatch = nullptr;     // makes the next call choose a dispatch table
  EXPECT_EQ(static_cast<i32>(call(sum, {10})), 55);
  EXPECT_EQ(collections, 1 + 10);  // the entry and backward branches
  flags::GCStressSafepointInterval = 0;
  safepoint::stress_hook = nullptr;
  safepoint::disarm_stress(thread_);
  thread_->dispatch = nullptr;
  EXPECT_EQ(static_cast<i32>(call(sum, {10})), 55);
  EXPECT_EQ(collections, 11);
}

TEST_F(Handlers, LoopsThatEndWithAStore) {
  Method* count_down = make("(I)I", R"(
      iconst_0
      istore_1
    top:
      iload_0
      ifle done
      iinc 1 1
      iload_0
      iconst_3
      isub
      istore_0
      goto top
    done:
      iload_1
      bipush 100
      isub
      iload_0
      iadd
      bipush 50
      isub
      ireturn
  )");
  EXPECT_EQ(static_cast<i32>(call(count_down, {10})), 4 - 100 - 2 - 50);
  EXPECT_TRUE(uses(count_down, Operation::load_constant_isub));
  EXPECT_TRUE(uses(count_down, Operation::constant_isub));
  EXPECT_TRUE(uses(count_down, Operation::store_goto_back));
}

// A branch into the middle of a superinstruction runs the plain instructions.
TEST_F(Handlers, BranchesEnterSuperinstructionsInTheMiddle) {
  Method* method = make("(I)I", R"(
      iload_0
      ifeq straight
      sipush 100
      goto middle
    straight:
      iload_0
    middle:
      bipush 7
      iadd
      ireturn
  )");
  EXPECT_TRUE(uses(method, Operation::load_constant_iadd));
  EXPECT_EQ(static_cast<i32>(call(method, {0})), 7);
  EXPECT_EQ(static_cast<i32>(call(method, {1})), 107);
}

TEST_F(Handlers, Recursion) {
  ClassBuilder builder("Fibonacci");
  builder.method(access::Static, "run", "(I)I", R"(
      iload_0
      iconst_2
      if_icmpge recurse
      iload_0
      ireturn
    recurse:
      iload_0
      iconst_1
      isub
      invokestatic Fibonacci.run (I)I
      iload_0
      iconst_2
      isub
      invokestatic Fibonacci.run (I)I
      iadd
      ireturn
  )");
  EXPECT_EQ(static_cast<i32>(call(make(builder), {20})), 6765);
}

TEST_F(Handlers, WideValuesPassThroughCalls) {
  ClassBuilder builder("WideCalls");
  builder.method(access::Static, "twice", "(JD)D", "lload_0\n l2d\n dload_2\n dmul\n dreturn");
  builder.method(access::Static, "run", "(JD)D", R"(
      dconst_1
      lload_0
      dload_2
      invokestatic WideCalls.twice (JD)D
      dadd
      dreturn
  )");
  EXPECT_EQ(__builtin_bit_cast(f64, call(make(builder), {0, 6, 0, __builtin_bit_cast(u64, 1.5)})), 10.0);
}

TEST_F(Handlers, VoidCallsLeaveTheCallersOperands) {
  ClassBuilder builder("VoidCalls");
  builder.method(access::Static, "nothing", "(IJ)V", "return");
  builder.method(access::Static, "run", "()I", R"(
      bipush 40
      iconst_2
      iconst_5
      lconst_1
      invokestatic VoidCalls.nothing (IJ)V
      iadd
      ireturn
  )");
  EXPECT_EQ(static_cast<i32>(call(make(builder))), 42);
}

TEST_F(Handlers, Switches) {
  Method* table = make("(I)I", R"(
      iload_0
      tableswitch -1 a b c default d
    a:
      bipush 10
      ireturn
    b:
      bipush 20
      ireturn
    c:
      bipush 30
      ireturn
    d:
      bipush 40
      ireturn
  )");
  EXPECT_EQ(call(table, {static_cast<u32>(-1)}), 10u);
  EXPECT_EQ(call(table, {0}), 20u);
  EXPECT_EQ(call(table, {1}), 30u);
  EXPECT_EQ(call(table, {2}), 40u);
  EXPECT_EQ(call(table, {0x80000000u}), 40u);
  Method* lookup = make("(I)I", R"(
      iload_0
      lookupswitch -1000:a 7:b 100000:c default d
    a:
      bipush 10
      ireturn
    b:
      bipush 20
      ireturn
    c:
      bipush 30
      ireturn
    d:
      bipush 40
      ireturn
  )");
  EXPECT_EQ(call(lookup, {static_cast<u32>(-1000)}), 10u);
  EXPECT_EQ(call(lookup, {7}), 20u);
  EXPECT_EQ(call(lookup, {100000}), 30u);
  EXPECT_EQ(call(lookup, {8}), 40u);
}

TEST_F(Handlers, StackShuffles) {
  // The result has a decimal digit for each operand; the bottom operand is the first digit.
  auto digits = [&](const char* shuffle, int count) {
    std::string text = "iconst_1\n iconst_2\n iconst_3\n iconst_4\n";
    text += shuffle;
    text += "\n";
    for (int i = 0; i < count; ++i) text += fmt::format("istore {}\n", i);
    text += "iconst_0\n";
    for (int i = count - 1; i >= 0; --i) text += fmt::format("bipush 10\n imul\n iload {}\n iadd\n", i);
    text += "ireturn";
    return run_int("()I", text.c_str());
  };
  EXPECT_EQ(digits("nop", 4), 1234);
  EXPECT_EQ(digits("pop", 3), 123);
  EXPECT_EQ(digits("pop2", 2), 12);
  EXPECT_EQ(digits("dup", 5), 12344);
  EXPECT_EQ(digits("dup_x1", 5), 12434);
  EXPECT_EQ(digits("dup_x2", 5), 14234);
  EXPECT_EQ(digits("dup2", 6), 123434);
  EXPECT_EQ(digits("dup2_x1", 6), 134234);
  EXPECT_EQ(digits("dup2_x2", 6), 341234);
  EXPECT_EQ(digits("swap", 4), 1243);
}

TEST_F(Handlers, SubroutinesReturnToTheirCaller) {
  Method* method = make("()I", R"(
      iconst_0
      istore_0
      jsr add
      jsr add
      iload_0
      ireturn
    add:
      astore_1
      iinc 0 5
      ret 1
  )");
  EXPECT_EQ(static_cast<i32>(call(method)), 10);
}

TEST_F(Handlers, WideLocalsAndIncrements) {
  EXPECT_EQ(run_int("()I", R"(
      .locals 600
      sipush 1000
      wide istore 500
      wide iinc 500 -3000
      wide iload 500
      ireturn
  )"),
            -2000);
}

TEST_F(Handlers, ArithmeticAtTheEdges) {
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n idiv\n ireturn", {0x80000000u, 0xFFFFFFFFu}), -2147483647 - 1);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n irem\n ireturn", {0x80000000u, 0xFFFFFFFFu}), 0);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n ishl\n ireturn", {1, 33}), 2);
  EXPECT_EQ(run_int("(I)I", "iload_0\n bipush 40\n ishr\n ireturn", {0x80000000u}), -8388608);
  EXPECT_EQ(run_int("(D)I", "dload_0\n d2i\n ireturn", {0, __builtin_bit_cast(u64, 1e99)}), 2147483647);
  EXPECT_EQ(run_int("(J)I", "lload_0\n l2i\n ireturn", {0, 0x1'0000'0007}), 7);
  EXPECT_EQ(run_int("(JJ)I", "lload_0\n lload_2\n lcmp\n ireturn", {0, 5, 0, 9}), -1);
  EXPECT_EQ(run_int("(I)I", "iload_0\n i2d\n dconst_1\n dadd\n d2f\n f2i\n ireturn", {41}), 42);
}

// Upper halves of int slots are undefined: no handler may look at them.
TEST_F(Handlers, IntsIgnoreTheUpperHalfOfTheirSlot) {
  EXPECT_EQ(
      run_int("(I)I", "iload_0\n ifne other\n iconst_1\n ireturn\n other:\n iconst_2\n ireturn", {0xABCD'0000'0000}),
      1);
  EXPECT_EQ(call(make("(I)J", "iload_0\n i2l\n lreturn"), {0xABCD'FFFF'FFFF}), static_cast<u64>(-1));
}

}  // namespace
}  // namespace keyhole
