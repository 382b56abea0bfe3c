// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates arithmetic nodes with the interpreter's own functions, so constant folding gives the interpreter's results.
#include "jit/graph/ir/evaluate.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "vm/interpreter/handlers/semantics.h"

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
template <typename Result, typename... Values> u64 apply(Result (*compute)(Values...), std::span<const u64> inputs) {
  return [&]<usize... I>(std::index_sequence<I...>) {
    return to_bits(compute(from_bits<Values>(inputs[I])...));
  }(std::index_sequence_for<Values...>());
}

// Evaluates the nodes that stand for intrinsics.
std::optional<u64> evaluate_intrinsic(Op op, std::span<const u64> inputs) {
  if (inputs.empty()) return std::nullopt;
  auto as_int = [&](usize i) { return static_cast<i32>(inputs[i]); };
  auto as_long = [&](usize i) { return static_cast<i64>(inputs[i]); };
  auto of_int = [](i64 value) { return u64{static_cast<u32>(value)}; };
  u32 narrow = static_cast<u32>(inputs[0]);
  switch (op) {
    case Op::square_root: return to_bits(__builtin_elementwise_sqrt(from_bits<f64>(inputs[0])));
    case Op::fabs: return narrow & 0x7FFF'FFFF;
    case Op::dabs: return inputs[0] & ~(u64{1} << 63);
    case Op::imin: return of_int(std::min(as_int(0), as_int(1)));
    case Op::imax: return of_int(std::max(as_int(0), as_int(1)));
    case Op::lmin: return static_cast<u64>(std::min(as_long(0), as_long(1)));
    case Op::lmax: return static_cast<u64>(std::max(as_long(0), as_long(1)));
    case Op::multiply_high: return static_cast<u64>((static_cast<__int128>(as_long(0)) * as_long(1)) >> 64);
    case Op::unsigned_multiply_high:
      return static_cast<u64>((static_cast<unsigned __int128>(inputs[0]) * inputs[1]) >> 64);
    case Op::ibit_count: return static_cast<u64>(std::popcount(narrow));
    case Op::lbit_count: return static_cast<u64>(std::popcount(inputs[0]));
    case Op::ileading_zeros: return static_cast<u64>(std::countl_zero(narrow));
    case Op::lleading_zeros: return static_cast<u64>(std::countl_zero(inputs[0]));
    case Op::itrailing_zeros: return static_cast<u64>(std::countr_zero(narrow));
    case Op::ltrailing_zeros: return static_cast<u64>(std::countr_zero(inputs[0]));
    case Op::ireverse_bytes: return __builtin_bswap32(narrow);
    case Op::lreverse_bytes: return __builtin_bswap64(inputs[0]);
    case Op::bits_of_float:
    case Op::float_of_bits: return narrow;
    case Op::bits_of_double:
    case Op::double_of_bits: return inputs[0];
    default: return std::nullopt;
  }
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
    case Op::idiv:
    case Op::irem:
      if (static_cast<u32>(inputs[1]) == 0) return std::nullopt;
      break;
    case Op::ldiv:
    case Op::lrem:
      if (inputs[1] == 0) return std::nullopt;
      break;
    default: break;
  }
  if (std::optional<u64> computed = evaluate_intrinsic(node.op, inputs)) return computed;
  switch (node.op) {
#define NODE(...)
#define ARITHMETIC_NODE(name, OPCODE) \
  case Op::name: return apply(semantics::name, inputs);
#include "jit/graph/ir/nodes.def"
#undef NODE
    default: return std::nullopt;
  }
}

}  // namespace keyhole::graph
