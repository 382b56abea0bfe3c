// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests accesses of each width and order, atomics, conversions, selections.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/jit/llvm/code_for_tests.h"

namespace keyhole::llvm_plugin {
namespace {

using low::Alias;
using low::no_node;
using low::Op;
using low::Order;
using low::Type;

TEST_F(LlvmPlugin, AccessesHaveTheirWidth) {
  constexpr std::pair<Type, u64> cases[] = {{Type::I8, 0xFF}, {Type::I16, 0xFFFF}, {Type::I32, 0xFFFFFFFF}};
  for (const auto& [type, mask] : cases) {
    function = {};
    b.go_to(b.new_block());
    slot = b.parameter(low::Parameter::Slot);
    zero = b.constant(Type::I32, 0);
    const auto narrow = argument(type, 0);
    b.store(b.parameter(low::Parameter::Frame), narrow, Alias::Field, 3);
    const auto is_signed = b.value(Op::SignExtend, Type::I64, {narrow});
    returns(b.value(Op::Sub, Type::I64, {is_signed, b.value(Op::ZeroExtend, Type::I64, {narrow})}));
    const u64 word = 0x8182838485868788;
    u64 frame = 0;
    EXPECT_EQ(call(compile().entry, {word}, &frame).result, 0 - (mask + 1));
    EXPECT_EQ(frame, word & mask);
  }
}

TEST_F(LlvmPlugin, AtomicsAnswerWhatWasThere) {
  const auto at = argument(Type::Ptr, 0), expected = argument(Type::I32, 1), wanted = argument(Type::I32, 2);
  const auto first = b.atomic(Op::CompareExchange, Type::I32, {at, expected, wanted}, Alias::Field, 1);
  const auto second = b.atomic(Op::FetchAdd, Type::I32, {at, b.constant(Type::I32, 100)}, Alias::Field, 1);
  const auto third = b.atomic(Op::Exchange, Type::I32, {at, b.constant(Type::I32, 9)}, Alias::Field, 1);
  low::NodeId sum = b.constant(Type::I64, 0);
  for (const auto one : {first, second, third}) {
    sum = b.value(Op::Mul, Type::I64, {sum, b.constant(Type::I64, 1000)});
    sum = b.value(Op::Add, Type::I64, {sum, b.value(Op::ZeroExtend, Type::I64, {one})});
  }
  returns(sum);
  const Result code = compile({.assembly = true});
  EXPECT_NE(code.assembly.find("lock"), std::string::npos);
  u32 word = 5;
  EXPECT_EQ(call(code.entry, {reinterpret_cast<u64>(&word), 5, 6}).result, 5'006'106u);
  EXPECT_EQ(word, 9u);
  EXPECT_EQ(call(code.entry, {reinterpret_cast<u64>(&word), 5, 6}).result, 9'009'109u);
}

// A volatile store is followed by a full fence. A fence for the current thread alone (ThreadRelease) emits no
// instruction. It only keeps the compiler from reordering stores.
TEST_F(LlvmPlugin, OrdersAreKept) {
  const auto at = argument(Type::Ptr, 0);
  const auto one = b.constant(Type::I64, 1);
  const auto own = [&](low::NodeId value) { b.store(at, value, Alias::Field, 1, Order::Unordered); };
  own(one);
  b.fence(Order::ThreadRelease);
  own(b.constant(Type::I64, 2));
  b.store(b.address(at, no_node, 1, 8), one, Alias::Field, 2, Order::SequentiallyConsistent);
  const auto read = b.load(Type::I64, b.address(at, no_node, 1, 8), Alias::Field, 2, Order::SequentiallyConsistent);
  b.fence(Order::SequentiallyConsistent);
  returns(read);
  const Result code = compile({.after = true, .assembly = true});
  EXPECT_NE(code.after.find("fence syncscope(\"singlethread\") release"), std::string::npos) << code.after;
  EXPECT_NE(code.assembly.find("xchg"), std::string::npos) << code.assembly;
  u64 words[2] = {};
  EXPECT_EQ(call(code.entry, {reinterpret_cast<u64>(words)}).result, 1u);
  EXPECT_EQ(words[0], 2u);
}

// do { ++i; } while (word == 0 && i != limit): with a Plain load the word would be loaded once, before the loop.
TEST_F(LlvmPlugin, WhatIsLoadedEachTimeIsLoadedInALoop) {
  for (bool loops_over_arrays : {false, true}) {
    function = {};
    function.loops_over_arrays = loops_over_arrays;
    const auto entry = b.new_block(), loop = b.new_block(), again = b.new_block(), done = b.new_block();
    b.go_to(entry);
    slot = b.parameter(low::Parameter::Slot);
    zero = b.constant(Type::I32, 0);
    const auto at = argument(Type::Ptr, 0), one = b.constant(Type::I64, 1);
    b.jump(loop);
    b.go_to(loop);
    const auto before = b.phi(Type::I64, 2);
    const auto count = b.value(Op::Add, Type::I64, {before, one});
    const auto word = b.load(Type::I32, at, Alias::Thread, 1, Order::EachTime);
    b.branch(b.value(Op::Equal, Type::I1, {word, zero}), again, done);
    b.go_to(again);
    const u64 limit = u64{1} << 36;
    b.branch(b.value(Op::NotEqual, Type::I1, {count, b.constant(Type::I64, limit)}), loop, done);
    b.set_operand(before, 0, b.constant(Type::I64, 0));
    b.set_operand(before, 1, count);
    b.go_to(done);
    returns(count);
    const uptr code = compile().entry;
    u32 value = 0;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // in most runs the loop is waiting by now
      std::atomic_ref(value).store(1);
    });
    EXPECT_LT(call(code, {reinterpret_cast<u64>(&value)}).result, limit);
    other.join();
  }
}

TEST_F(LlvmPlugin, NothingIsLoadedOnceForBothSidesOfACall) {
  host.symbols["callee"] = {reinterpret_cast<uptr>(&callee_for_tests)};
  const auto frame = b.parameter(low::Parameter::Frame), thread = b.parameter(low::Parameter::Thread);
  const auto before = b.load(Type::I64, frame, Alias::ArrayLength);
  b.call_java(b.symbol("callee"), frame, slot, frame, thread);
  returns(b.value(Op::Add, Type::I64, {before, b.load(Type::I64, frame, Alias::ArrayLength)}));
  const Result code = compile({.after = true});
  const auto first = code.after.find("load i64");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(code.after.find("load i64", first + 1), std::string::npos) << code.after;
}

TEST_F(LlvmPlugin, SelectsAndConverts) {
  const auto x = argument(Type::I32, 0), y = argument(Type::I32, 1);
  const auto smaller = b.value(Op::Select, Type::I32, {b.value(Op::Below, Type::I1, {x, y}), x, y});
  const auto real = b.value(Op::FloatResize, Type::F64, {b.value(Op::IntToFloat, Type::F32, {smaller})});
  const auto half = b.value(Op::Mul, Type::F64, {real, b.constant(Type::F64, std::bit_cast<u64>(0.5))});
  const auto whole = b.value(Op::FloatToInt, Type::I64, {half});
  const auto byte = b.value(Op::Truncate, Type::I8, {whole});
  returns(b.value(Op::SignExtend, Type::I64, {byte}));
  const uptr entry = compile().entry;
  EXPECT_EQ(call(entry, {600, 700}).result, 44u);         // 300 as a byte
  EXPECT_EQ(call(entry, {0xFFFFFFFF, 100}).result, 50u);  // 0xFFFFFFFF is compared as a large unsigned number
}

TEST_F(LlvmPlugin, TheStackPointerIsThisThreadsOwn) {
  returns(b.value(Op::StackPointer, Type::I64, {}));
  int here;
  const u64 answer = call(compile().entry, {}).result;
  EXPECT_LT(answer, reinterpret_cast<u64>(&here));
  EXPECT_GT(answer, reinterpret_cast<u64>(&here) - 4096);
}

}  // namespace
}  // namespace keyhole::llvm_plugin
