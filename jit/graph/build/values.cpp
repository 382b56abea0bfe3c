// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds constants, locals, stack shuffles and arithmetic.
#include "jit/graph/build/builder.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole::graph {

using namespace interpreter;

// Returns the type of the constant. The pre-decoded instruction tells only the constant's width, so the type comes from
// the bytecode or from the constant pool.
Type Builder::type_of_constant() const {
  Opcode opcode = instructions_.opcode(instruction_);
  if (opcode != LDC && opcode != LDC_W && opcode != LDC2_W) {
    return type_of_letter(bytecode::row(opcode).pushes.empty() ? ' ' : bytecode::row(opcode).pushes[0]);
  }
  const ConstantPool* constants = method()->constants;
  u32 index = bytecode::constant_index(method()->code, instructions_.bci(instruction_));
  switch (constants->tag(index)) {
    case ConstantTag::Integer: return Type::Int;
    case ConstantTag::Float: return Type::Float;
    case ConstantTag::Long: return Type::Long;
    case ConstantTag::Double: return Type::Double;
    case ConstantTag::Dynamic: return type_of_descriptor(constants->ref_descriptor(index)->text()[0]);
    default: return Type::Reference;
  }
}

void Builder::build_constant(Operation operation, u64 word) {
  i32 b = operand_b(word);
  Type type = type_of_constant();
  switch (operation) {
    case Operation::nop: return;
    case Operation::constant: return push(constant(type, static_cast<u32>(b)));
    case Operation::constant_wide: return push(constant(type, static_cast<u64>(i64{b})));
    case Operation::constant_double: return push(constant(type, __builtin_bit_cast(u64, static_cast<f64>(b))));
    case Operation::constant_pool_wide: return push(constant(type, *metadata_at<const u64>(b)));
    case Operation::constant_object: {
      Node* node = add(Op::resolved_object, Type::Reference);
      node->resolved = {method()->constants, static_cast<u32>(b)};
      return push(node);
    }
    default: return push(mirror_of(metadata_at<const Klass>(b)));
  }
}

void Builder::build_local(Operation operation, u64 word) {
  u32 local = operand_a(word);
  switch (operation) {
    case Operation::load: return push(frame_.locals[local]);
    case Operation::load_wide: return push(frame_.locals[local + 1]);
    case Operation::iinc:
      frame_.locals[local] = add(Op::iadd, Type::Int, {frame_.locals[local], int_constant(operand_b(word))});
      return;
    default: break;
  }
  bool wide = operation == Operation::store_wide;
  Node* value = pop();
  u32 upper = wide ? local + 1 : local;
  // A write to the lower slot of a wide value invalidates the value.
  if (upper + 1 < frame_.locals.size() && frame_.locals[upper + 1] != nullptr &&
      is_wide(frame_.locals[upper + 1]->type)) {
    frame_.locals[upper + 1] = nullptr;
  }
  if (wide) frame_.locals[local] = nullptr;
  frame_.locals[upper] = value;
}

// Moves slots one by one. Verified code keeps the two halves of a wide value together.
void Builder::build_shuffle(Operation operation) {
  const OperationRow& columns = interpreter::row(operation);
  std::vector<Node*>& operands = frame_.operands;
  std::vector<Node*> taken(operands.end() - static_cast<i64>(columns.pops.size()), operands.end());
  operands.resize(operands.size() - taken.size());
  for (char letter : columns.pushes) operands.push_back(taken[taken.size() - 1 - static_cast<usize>(letter - 'A')]);
}

void Builder::build_arithmetic(Operation operation) {
  static constexpr PerOperation<Op> node_of = [] {
    PerOperation<Op> table{};
#define NODE(...)
#define ARITHMETIC_NODE(name, OPCODE) table[index_of(Operation::name)] = Op::name;
#include "jit/graph/ir/nodes.def"
#undef NODE
    return table;
  }();
  Op op = node_of[index_of(operation)];
  Type type = type_of_letter(graph::row(op).type);
  if (graph::row(op).inputs.size() == 1) return push(add(op, type, {pop()}));
  if (op == Op::idiv || op == Op::irem) {
    guard(compare(Condition::NotEqual, peek(0), int_constant(0)), DeoptReason::ZeroDivisor);
  } else if (op == Op::ldiv || op == Op::lrem) {
    Node* sign = add(Op::lcmp, Type::Int, {peek(0), constant(Type::Long, 0)});
    guard(compare(Condition::NotEqual, sign, int_constant(0)), DeoptReason::ZeroDivisor);
  }
  Node* right = pop();
  Node* left = pop();
  push(add(op, type, {left, right}));
}

}  // namespace keyhole::graph
