// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests lowered functions as text, and the messages about functions that are rejected.
#include "jit/graph/low/low_graph.h"

#include <gtest/gtest.h>

namespace keyhole::low {
namespace {

// while (n != 0) { sum += n; --n; } return sum;   n is loaded from the stack slot of the last argument
struct Loop {
  Function function;
  Builder b{function};
  NodeId zero, slot, phi_n, phi_sum, is_zero, sum, less;

  Loop() {
    function.name = "Loop.sum";
    const BlockId entry = b.new_block(), header = b.new_block(), body = b.new_block(), end = b.new_block();
    zero = b.constant(Type::I32, 0);
    slot = b.parameter(Parameter::Slot);
    b.go_to(entry);
    const NodeId n = b.load(Type::I32, slot, Alias::JavaFrame);
    b.jump(header);
    b.go_to(header);
    phi_n = b.phi(Type::I32, 2);
    phi_sum = b.phi(Type::I32, 2);
    is_zero = b.value(Op::Equal, Type::I1, {phi_n, zero});
    b.branch(is_zero, end, body, false, true);
    b.go_to(body);
    sum = b.value(Op::Add, Type::I32, {phi_sum, phi_n});
    less = b.value(Op::Sub, Type::I32, {phi_n, b.constant(Type::I32, 1)});
    b.jump(header);
    b.go_to(end);
    b.ret(zero, b.value(Op::ZeroExtend, Type::I64, {phi_sum}), slot);
    b.set_operand(phi_n, 0, n);
    b.set_operand(phi_n, 1, less);
    b.set_operand(phi_sum, 0, zero);
    b.set_operand(phi_sum, 1, sum);
  }
};

TEST(LowGraph, IsPrinted) {
  Loop loop;
  EXPECT_EQ(verify(loop.function), "");
  EXPECT_EQ(print(loop.function), R"(function Loop.sum
block 0:
  v2 = i32 load frame %slot
  jump -> 1
block 1:
  v4 = i32 phi v2 v10
  v5 = i32 phi i32:0 v8
  v6 = i1 eq v4 i32:0
  branch v6 -> 3, 2 unlikely
block 2:
  v8 = i32 add v5 v4
  v10 = i32 sub v4 i32:1
  jump -> 1
block 3:
  v12 = i64 zext v5
  return i32:0 v12 %slot
)");
}

TEST(LowGraph, AnExitNamesItsStubAndACallItsResult) {
  Function function;
  function.name = "Calls.one";
  Builder b{function};
  b.go_to(b.new_block());
  const NodeId frame = b.parameter(Parameter::Frame), slot = b.parameter(Parameter::Slot);
  const NodeId call = b.call_java(b.symbol("callee"), frame, slot, b.symbol("method"), b.parameter(Parameter::Thread));
  const NodeId result = b.value(Op::CallResult, Type::I64, {call});
  b.store(b.address(slot, result, 8, -16), b.site_address({1, 2}), Alias::JavaFrame);
  b.exit(b.symbol("stub"), {no_node, slot});
  EXPECT_EQ(verify(function), "");
  EXPECT_EQ(print(function), R"(function Calls.one
block 0:
  v5 = call @callee %frame %slot @method %thread
  v6 = i64 result v5
  v7 = ptr address %slot v6 * 8 + -16
  store frame v7 site 0
  exit @stub - %slot - - - - - -
)");
}

TEST(LowGraphVerifier, RefusesOperandsOfOtherTypes) {
  Loop loop;
  loop.b.set_operand(loop.sum, 1, loop.slot);
  EXPECT_EQ(verify(loop.function), "v8 (add): operand 1 is of type ptr");
}

TEST(LowGraphVerifier, RefusesAUseThatItsValueDoesNotDominate) {
  Loop loop;
  loop.b.set_operand(loop.is_zero, 0, loop.less);
  EXPECT_EQ(verify(loop.function), "v6 (eq): v10 does not dominate it");
}

TEST(LowGraphVerifier, RefusesAPhiWithoutAValueForEachEdge) {
  Loop loop;
  loop.function.nodes[loop.phi_n].operand_count = 1;
  EXPECT_EQ(verify(loop.function), "v4 (phi): one operand for each edge");
}

TEST(LowGraphVerifier, RefusesAVariableAsAValue) {
  Loop loop;
  const NodeId variable = loop.b.variable(Type::I32);
  loop.b.set_operand(loop.less, 1, variable);
  EXPECT_EQ(verify(loop.function), "v10 (sub): a variable is set, or got");
}

TEST(LowGraphVerifier, RefusesABlockWithoutTerminator) {
  Loop loop;
  loop.function.blocks[2].nodes.pop_back();
  EXPECT_EQ(verify(loop.function), "v10 (sub): a block ends in its one terminator");
}

TEST(LowGraphVerifier, RefusesAWayBackToTheEntry) {
  Loop loop;
  loop.function.blocks[2].targets[0] = 0;
  EXPECT_EQ(verify(loop.function), "block 2 leads to 0");
}

TEST(LowGraphVerifier, RefusesAnUnfilledPhi) {
  Loop loop;
  loop.b.set_operand(loop.phi_sum, 1, no_node);
  EXPECT_EQ(verify(loop.function), "v5 (phi): an operand is missing");
}

}  // namespace
}  // namespace keyhole::low
