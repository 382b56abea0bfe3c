// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic as the interpreter does it.
#include "jit/graph/evaluate.h"

#include <utility>

#include "vm/interpreter/semantics.h"

namespace keyhole::graph {
namespace {

template <typename T> T from_bits(u64 bits) {
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, static_cast<u32>(bits));
  else return __builtin_bit_cast(T, bits);
}
template <typename T> u64 to_bits(T value) {
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(u32, value);
  else return __builtin_bit_cast(u64, value);
}
template <typename Result, typename... Values>
u64 apply(Result (*compute)(Values...), std::span<const u64> inputs) {
  return [&]<usize... I>(std::index_sequence<I...>) {
    return to_bits(compute(from_bits<Values>(inputs[I])...));
  }(std::index_sequence_for<Values...>());
}

}  // namespace

bool holds(Condition condition, i32 left, i32 right) {
  switch (condition) {
    case Condition::Equal: return left == right;
    case Condition::NotEqual: return left != right;
    case Condition::Less: return left < right;
    case Condition::GreaterOrEqual: return left >= right;
    case Condition::Greater: return left > right;
    case Condition::LessOrEqual: return left <= right;
    case Condition::Below: return static_cast<u32>(left) < static_cast<u32>(right);
  }
  return false;
}

std::optional<u64> evaluate(const Node& node, std::span<const u64> inputs) {
  switch (node.op) {
    case Op::compare_int:
      return holds(node.condition, static_cast<i32>(inputs[0]), static_cast<i32>(inputs[1])) ? 1 : 0;
    case Op::idiv: case Op::irem:
      if (static_cast<u32>(inputs[1]) == 0) return std::nullopt;
      break;
    case Op::ldiv: case Op::lrem:
      if (inputs[1] == 0) return std::nullopt;
      break;
    default: break;
  }
  switch (node.op) {
#define NODE(...)
#define ARITHMETIC_NODE(name, OPCODE) case Op::name: return apply(semantics::name, inputs);
#include "jit/graph/nodes.def"
#undef NODE
    default: return std::nullopt;
  }
}

}  // namespace keyhole::graph
