// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers constants, arithmetic, conversions and comparisons.
#include "jit/graph/lower/lowering.h"

namespace keyhole::graph {

using low::no_node;

Lowering::NodeId Lowering::constant(const Node* node) { return b_.constant(type_of(node->type), node->bits); }

Lowering::NodeId Lowering::arithmetic(const Node* node) {
  low::Type type = type_of(node->type);
  auto in = [&](usize i) { return value_of(node->inputs[i]); };
  auto with_two = [&](low::Op op) { return b_.value(op, type, {in(0), in(1)}); };
  auto with_one = [&](low::Op op) { return b_.value(op, type, {in(0)}); };
  auto shift = [&](low::Op op) {
    NodeId by = type == low::Type::I64 ? b_.value(low::Op::ZeroExtend, type, {in(1)}) : in(1);
    return b_.value(op, type, {in(0), by});
  };
  auto through = [&](low::Type narrow, low::Op widen) {
    return b_.value(widen, type, {b_.value(low::Op::Truncate, narrow, {in(0)})});
  };
  switch (node->op) {
    case Op::iadd:
    case Op::ladd:
    case Op::fadd:
    case Op::dadd: return with_two(low::Op::Add);
    case Op::isub:
    case Op::lsub:
    case Op::fsub:
    case Op::dsub: return with_two(low::Op::Sub);
    case Op::imul:
    case Op::lmul:
    case Op::fmul:
    case Op::dmul: return with_two(low::Op::Mul);
    case Op::fdiv:
    case Op::ddiv: return with_two(low::Op::Div);
    case Op::frem:
    case Op::drem: return with_two(low::Op::Rem);
    case Op::idiv:
    case Op::ldiv:
    case Op::irem:
    case Op::lrem: return divided(node);
    case Op::ineg:
    case Op::lneg:
    case Op::fneg:
    case Op::dneg: return with_one(low::Op::Neg);
    case Op::ishl:
    case Op::lshl: return shift(low::Op::Shl);
    case Op::ishr:
    case Op::lshr: return shift(low::Op::Shr);
    case Op::iushr:
    case Op::lushr: return shift(low::Op::UShr);
    case Op::iand:
    case Op::land: return with_two(low::Op::And);
    case Op::ior:
    case Op::lor: return with_two(low::Op::Or);
    case Op::ixor:
    case Op::lxor: return with_two(low::Op::Xor);
    case Op::i2l: return with_one(low::Op::SignExtend);
    case Op::l2i: return with_one(low::Op::Truncate);
    case Op::i2f:
    case Op::i2d:
    case Op::l2f:
    case Op::l2d: return with_one(low::Op::IntToFloat);
    case Op::f2i:
    case Op::f2l:
    case Op::d2i:
    case Op::d2l: return with_one(low::Op::FloatToInt);
    case Op::f2d:
    case Op::d2f: return with_one(low::Op::FloatResize);
    case Op::i2b: return through(low::Type::I8, low::Op::SignExtend);
    case Op::i2c: return through(low::Type::I16, low::Op::ZeroExtend);
    case Op::i2s: return through(low::Type::I16, low::Op::SignExtend);
    case Op::lcmp:
    case Op::fcmpl:
    case Op::fcmpg:
    case Op::dcmpl:
    case Op::dcmpg: return three_way(node);
    default: return no_node;
  }
}

// Lowers a division whose divisor is not 0. The machine traps when the smallest number is divided by -1. So if the
// divisor is -1, the code divides by 1 instead. The result is then the negated dividend, or 0 for a remainder.
Lowering::NodeId Lowering::divided(const Node* node) {
  low::Type type = type_of(node->type);
  bool is_remainder = node->op == Op::irem || node->op == Op::lrem;
  low::Op op = is_remainder ? low::Op::Rem : low::Op::Div;
  NodeId dividend = value_of(node->inputs[0]), divisor = value_of(node->inputs[1]);
  bool is_long = type == low::Type::I64;
  u64 minus_one = is_long ? ~u64{0} : u64{0xFFFF'FFFF};
  const Node* by = node->inputs[1];
  if (by->is_constant() && by->bits != minus_one) return b_.value(op, type, {dividend, divisor});
  NodeId is_special = b_.value(low::Op::Equal, low::Type::I1, {divisor, b_.constant(type, minus_one)});
  NodeId safe = b_.value(low::Op::Select, type, {is_special, b_.constant(type, 1), divisor});
  NodeId quotient = b_.value(op, type, {dividend, safe});
  NodeId special = is_remainder ? b_.constant(type, 0) : b_.value(low::Op::Neg, type, {dividend});
  return b_.value(low::Op::Select, type, {is_special, special, quotient});
}

// Lowers a three-way comparison, whose result is -1, 0 or 1. If an operand is NaN, fcmpl and dcmpl give -1, and fcmpg
// and dcmpg give 1.
Lowering::NodeId Lowering::three_way(const Node* node) {
  NodeId a = value_of(node->inputs[0]), b = value_of(node->inputs[1]);
  bool is_low = node->op == Op::fcmpl || node->op == Op::dcmpl;
  auto test = [&](low::Op op) { return b_.value(op, low::Type::I1, {a, b}); };
  auto select = [&](NodeId bit, NodeId yes, NodeId no) {
    return b_.value(low::Op::Select, low::Type::I32, {bit, yes, no});
  };
  NodeId less = int_constant(-1), equal = int_constant(0), greater = int_constant(1);
  if (is_low) return select(test(low::Op::Greater), greater, select(test(low::Op::Equal), equal, less));
  return select(test(low::Op::Less), less, select(test(low::Op::Equal), equal, greater));
}

namespace {

low::Op op_of(Condition condition) {
  switch (condition) {
    case Condition::Equal: return low::Op::Equal;
    case Condition::NotEqual: return low::Op::NotEqual;
    case Condition::Less: return low::Op::Less;
    case Condition::GreaterOrEqual: return low::Op::GreaterEqual;
    case Condition::Greater: return low::Op::Greater;
    case Condition::LessOrEqual: return low::Op::LessEqual;
    default: return low::Op::Below;
  }
}
Condition opposite(Condition condition) {
  switch (condition) {
    case Condition::Less: return Condition::GreaterOrEqual;
    case Condition::GreaterOrEqual: return Condition::Less;
    case Condition::Greater: return Condition::LessOrEqual;
    default: return Condition::Greater;
  }
}

}  // namespace

Lowering::NodeId Lowering::compare_int(const Node* node) {
  const Node* left = node->inputs[0];
  bool is_three_way = left->op == Op::lcmp || left->op == Op::fcmpl || left->op == Op::fcmpg || left->op == Op::dcmpl ||
                      left->op == Op::dcmpg;
  if (is_three_way && node->inputs[1]->is_constant(0) && node->condition != Condition::Below)
    return compare_operands_of(left, node->condition);
  return b_.value(op_of(node->condition), low::Type::I1, {value_of(left), value_of(node->inputs[1])});
}

// Lowers a three-way comparison whose result is compared with 0, as one comparison. If an operand is NaN, the low
// graph's comparisons are false, but `Less` after fcmpl and `Greater` after fcmpg have to be true. For these two the
// code computes the opposite condition and negates it.
Lowering::NodeId Lowering::compare_operands_of(const Node* three_way, Condition condition) {
  NodeId a = value_of(three_way->inputs[0]), b = value_of(three_way->inputs[1]);
  bool is_low = three_way->op == Op::fcmpl || three_way->op == Op::dcmpl;
  bool is_long = three_way->op == Op::lcmp;
  bool nan_is_less = is_low && (condition == Condition::Less || condition == Condition::LessOrEqual);
  bool nan_is_greater = !is_low && (condition == Condition::Greater || condition == Condition::GreaterOrEqual);
  if (is_long || !(nan_is_less || nan_is_greater)) return b_.value(op_of(condition), low::Type::I1, {a, b});
  return is_false(b_.value(op_of(opposite(condition)), low::Type::I1, {a, b}));
}

Lowering::NodeId Lowering::is_false(NodeId bit) {
  return b_.value(low::Op::Equal, low::Type::I1, {bit, b_.constant(low::Type::I1, 0)});
}

Lowering::NodeId Lowering::bit_of(const Node* node) {
  if (bits_[node->id] != no_node) return bits_[node->id];
  return b_.value(low::Op::NotEqual, low::Type::I1, {value_of(node), int_constant(0)});
}

Lowering::NodeId Lowering::value_of(const Node* node) {
  if (variables_[node->id] != no_node) return b_.get(variables_[node->id]);
  if (values_[node->id] != no_node) return values_[node->id];
  return b_.value(low::Op::ZeroExtend, low::Type::I32, {bits_[node->id]});
}

}  // namespace keyhole::graph
