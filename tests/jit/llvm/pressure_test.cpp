// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests more values than registers: in straight code, in the phis of loops, and across calls of C; switches with
// tables; divisions by constants.
#include <random>

#include "tests/jit/llvm/code_for_tests.h"

namespace keyhole::llvm_plugin {
namespace {

using low::NodeId;
using low::Op;
using low::Type;

struct Pressure : LlvmPlugin {
  static constexpr u32 many = 40;
  NodeId number(u64 value) { return b.constant(Type::I64, value); }
  NodeId add(NodeId x, NodeId y) { return b.value(Op::Add, Type::I64, {x, y}); }
  NodeId multiply(NodeId x, NodeId y) { return b.value(Op::Mul, Type::I64, {x, y}); }
  static std::vector<u64> words() {
    std::vector<u64> words;
    for (u64 i = 0; i < many; ++i) words.push_back(i * i + 3);
    return words;
  }
};

TEST_F(Pressure, ManyIntegersLive) {
  std::vector<NodeId> values;
  for (u32 i = 0; i < many; ++i) values.push_back(argument(Type::I64, i));
  NodeId sum = number(1);
  u64 expected = 1;
  const std::vector<u64> in = words();
  for (u32 i = many; i-- > 0;) {
    sum = add(multiply(sum, number(31)), b.value(Op::Xor, Type::I64, {values[i], values[many - 1 - i]}));
    expected = expected * 31 + (in[i] ^ in[many - 1 - i]);
  }
  returns(sum);
  EXPECT_EQ(call(compile().entry, in).result, expected);
}

TEST_F(Pressure, ManyDoublesLive) {
  std::vector<NodeId> values;
  for (u32 i = 0; i < many; ++i) values.push_back(argument(Type::F64, i));
  NodeId sum = b.constant(Type::F64, 0);
  f64 expected = 0;
  std::vector<u64> in;
  for (u32 i = 0; i < many; ++i) in.push_back(std::bit_cast<u64>(f64(i) + 0.5));
  for (u32 i = many; i-- > 0;) {
    sum = b.value(Op::Add, Type::F64, {b.value(Op::Mul, Type::F64, {sum, values[many - 1 - i]}), values[i]});
    expected = expected * std::bit_cast<f64>(in[many - 1 - i]) + std::bit_cast<f64>(in[i]);
  }
  returns(b.value(Op::Bits, Type::I64, {sum}));
  EXPECT_EQ(std::bit_cast<f64>(call(compile().entry, in).result), expected);
}

// More addresses with a base and an index are live than there are registers. So the address of each compare-exchange,
// its expected value and its new value are computed from spill slots.
TEST_F(Pressure, AddressesAreExchanged) {
  std::vector<NodeId> bases, indices;
  for (u32 i = 0; i < many; ++i) bases.push_back(argument(Type::Ptr, i));
  for (u32 i = 0; i < many; ++i) indices.push_back(argument(Type::I64, many + i));
  NodeId sum = number(0);
  for (u32 i = many - 1; i-- > 0;) {
    const NodeId at = b.address(bases[i], indices[i], 8, 0);
    const NodeId expected = b.value(Op::Bits, Type::I64, {b.address(bases[i], indices[i + 1], 8, 0)});
    const NodeId wanted = b.value(Op::Bits, Type::I64, {b.address(bases[i + 1], indices[i], 8, 16)});
    b.atomic(Op::CompareExchange, Type::I64, {at, expected, wanted}, low::Alias::Field, 1);
    sum = add(sum, indices[i + 1]);
  }
  returns(sum);
  std::vector<u64> memory(2 * many), in;
  for (u32 i = 0; i < many; ++i) in.push_back(reinterpret_cast<u64>(&memory[i]));
  for (u32 i = 0; i < many; ++i) in.push_back(i % 3);
  u64 expected = 0;
  std::vector<u64> results = memory;
  for (u32 i = many - 1; i-- > 0;) {
    memory[i + i % 3] = results[i + i % 3] = in[i] + 8 * in[many + i + 1];
    expected += in[many + i + 1];
  }
  for (u32 i = many - 1; i-- > 0;) {
    if (results[i + i % 3] == in[i] + 8 * in[many + i + 1]) results[i + i % 3] = in[i + 1] + 8 * in[many + i] + 16;
  }
  EXPECT_EQ(call(compile().entry, in).result, expected);
  EXPECT_EQ(memory, results);
}

// for (; i != n; ++i) rotates `count` values: each phi gets the next one's value, so all moves form one cycle.
TEST_F(Pressure, PhisRotate) {
  for (const Type type : {Type::I64, Type::F64}) {
    for (const u32 count : {2u, 3u, 9u, many - 1}) {
      function = {};
      const auto entry = b.new_block(), header = b.new_block(), body = b.new_block(), end = b.new_block();
      b.go_to(entry);
      slot = b.parameter(low::Parameter::Slot);
      zero = b.constant(Type::I32, 0);
      const NodeId n = argument(Type::I64, 0);
      std::vector<NodeId> first, rotated;
      for (u32 i = 0; i < count; ++i) first.push_back(argument(type, 1 + i));
      b.jump(header);
      b.go_to(header);
      const NodeId i = b.phi(Type::I64, 2);
      for (u32 k = 0; k < count; ++k) rotated.push_back(b.phi(type, 2));
      b.branch(b.value(Op::NotEqual, Type::I1, {i, n}), body, end);
      b.go_to(body);
      const NodeId next = add(i, number(1));
      b.jump(header);
      b.go_to(end);
      NodeId sum = number(0);
      for (u32 k = 0; k < count; ++k) {
        const NodeId bits = type == Type::F64 ? b.value(Op::Bits, Type::I64, {rotated[k]}) : rotated[k];
        sum = add(multiply(sum, number(31)), bits);
      }
      returns(sum);
      b.set_operand(i, 0, number(0));
      b.set_operand(i, 1, next);
      for (u32 k = 0; k < count; ++k) {
        b.set_operand(rotated[k], 0, first[k]);
        b.set_operand(rotated[k], 1, rotated[(k + 1) % count]);
      }
      std::vector<u64> in = words();
      in[0] = 100;
      u64 expected = 0;
      for (u32 k = 0; k < count; ++k) expected = expected * 31 + in[1 + (k + 100) % count];
      EXPECT_EQ(call(compile().entry, in).result, expected) << low::name(type) << ", " << count;
    }
  }
}

// Values that are live across a call of a C function keep their contents, and no argument of the call overwrites
// another.
TEST_F(Pressure, CallsOfCKeepValues) {
  static const auto mixed =
      +[](u64 a, u64 c, f64 x, u64 d, u64 e) { return a + 3 * c + 5 * d + 7 * e + static_cast<u64>(x); };
  host.symbols["mixed"] = {reinterpret_cast<uptr>(mixed)};
  std::vector<NodeId> values;
  for (u32 i = 0; i < many; ++i) values.push_back(argument(Type::I64, i));
  NodeId sum = number(0);
  u64 expected = 0;
  const std::vector<u64> in = words();
  for (u32 i = 0; i + 4 < many; i += 3) {
    const NodeId x = b.value(Op::IntToFloat, Type::F64, {values[i]});
    sum = add(sum, b.call_leaf("mixed", Type::I64, {values[i + 1], values[i], x, sum, values[i + 4]}));
    expected += mixed(in[i + 1], in[i], static_cast<f64>(in[i]), expected, in[i + 4]);
  }
  for (u32 i = 0; i < many; ++i) {
    sum = add(multiply(sum, number(31)), values[i]);
    expected = expected * 31 + in[i];
  }
  returns(sum);
  EXPECT_EQ(call(compile().entry, in).result, expected);
}

TEST_F(Pressure, SwitchesOfAllSizes) {
  for (const i64 step : {1, 1000}) {
    for (const u32 count : {1u, 4u, 5u, 20u}) {
      function = {};
      b.go_to(b.new_block());
      slot = b.parameter(low::Parameter::Slot);
      zero = b.constant(Type::I32, 0);
      const NodeId value = argument(Type::I32, 0), first = argument(Type::I64, 1);
      const auto merged = b.new_block();
      std::vector<low::Case> cases;
      std::vector<low::BlockId> blocks;
      for (u32 i = 0; i < count; ++i) {
        blocks.push_back(i % 2 == 0 ? b.new_block() : merged);
        cases.push_back({(i64{i} - 3) * step, blocks.back()});
      }
      b.switch_on(value, merged, cases);
      std::vector<std::pair<low::BlockId, NodeId>> from;
      for (u32 i = 0; i < count; i += 2) {
        b.go_to(blocks[i]);
        from.emplace_back(blocks[i], number(100 + i));
        b.jump(merged);
      }
      b.go_to(merged);
      const auto& edges = function.blocks[merged].predecessors;
      const NodeId chosen = b.phi(Type::I64, static_cast<u32>(edges.size()));
      for (u32 i = 0; i < edges.size(); ++i) {
        b.set_operand(chosen, i, first);
        for (const auto& [block, answer] : from) {
          if (block == edges[i]) b.set_operand(chosen, i, answer);
        }
      }
      returns(chosen);
      const uptr entry = compile().entry;
      for (i64 i = -6; i < 25; ++i) {
        const bool is_case = i + 3 >= 0 && i + 3 < count && (i + 3) % 2 == 0;
        const u64 expected = is_case ? static_cast<u64>(100 + i + 3) : 55;
        EXPECT_EQ(call(entry, {static_cast<u32>(i * step), 55}).result, expected) << i << ", " << count;
      }
      const i32 least = std::numeric_limits<i32>::min();
      EXPECT_EQ(call(entry, {static_cast<u32>(least), 55}).result, 55u);
    }
  }
}

TEST_F(Pressure, DivisionsByConstants) {
  std::mt19937 random(7);
  constexpr i32 most = std::numeric_limits<i32>::max(), least = std::numeric_limits<i32>::min();
  for (const i32 divisor : {1, 2, 3, 5, 7, 10, 16, 641, 1000, 65537, 1 << 30, most, most - 1, -2, -3, -7, least}) {
    for (const Op op : {Op::Div, Op::Rem}) {
      function = {};
      b.go_to(b.new_block());
      slot = b.parameter(low::Parameter::Slot);
      zero = b.constant(Type::I32, 0);
      const NodeId by = b.constant(Type::I32, static_cast<u32>(divisor));
      returns(b.value(Op::ZeroExtend, Type::I64, {b.value(op, Type::I32, {argument(Type::I32, 0), by})}));
      const Result code = compile();
      for (u32 i = 0; i < 500; ++i) {
        constexpr i32 edges[] = {0, 1, -1, most, least, most - 1, least + 1};
        const i32 near = static_cast<i32>(i64{divisor} * (i64{i} - 60) / 2);
        const i32 x = i < std::size(edges) ? edges[i] : i < 120 ? near : static_cast<i32>(random());
        const i32 expected = op == Op::Div ? x / divisor : x % divisor;
        EXPECT_EQ(static_cast<i32>(call(code.entry, {static_cast<u32>(x)}).result), expected) << x << " by " << divisor;
      }
      compiler->free(code.resource);
    }
  }
}

}  // namespace
}  // namespace keyhole::llvm_plugin
