// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits integer arithmetic, conversions and selections.
//
// An x86 instruction writes to its first operand. In this file `t` is the register in which a result is computed. It is
// the result's allocated register, or rax if that register still contains an operand.
#include "jit/middle/emitter.h"

#include <bit>

namespace keyhole::middle {

using low::Op;
using low::Type;

namespace {

bool is_commutative(Op op) { return op == Op::Add || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Mul; }

}  // namespace

void Emitter::emit_value(NodeId id) {
  const Node& n = node(id);
  if (n.op >= Op::Equal && n.op <= Op::BelowEqual) return emit_compare(id);
  if (n.op == Op::Select) return emit_select(id);
  if (n.op == Op::Bits) return emit_bits(id);
  const bool is_of_floats = is_float(n.type) || (n.operand_count > 0 && is_float(type_of(operand(n, 0))));
  if (is_of_floats) return emit_float(id);
  switch (n.op) {
    case Op::Add:
    case Op::Sub:
    case Op::And:
    case Op::Or:
    case Op::Xor: return emit_binary(id);
    case Op::Mul: return emit_multiply(id);
    case Op::Div:
    case Op::Rem: return emit_divide(id);
    case Op::Neg: {
      const Gp to = result(id, x86::rax);
      move_to_general(to, operand(n, 0));
      a_.neg(sized(to, n.type));
      if (bytes_of(n.type) < 4) a_.movzx(to.r32(), sized(to, n.type));
      return finish(id, to);
    }
    case Op::Shl:
    case Op::Shr:
    case Op::UShr: return emit_shift(id);
    case Op::MulHigh:
    case Op::UMulHigh: return emit_multiply_high(id);
    case Op::Min:
    case Op::Max: return emit_minimum(id);
    case Op::PopCount:
    case Op::LeadingZeros:
    case Op::TrailingZeros:
    case Op::ByteSwap: return emit_count(id);
    case Op::SignExtend:
    case Op::ZeroExtend: return emit_extend(id);
    case Op::Truncate: return emit_truncate(id);
    default: refuse(n, "is not compiled");
  }
}

void Emitter::emit_binary(NodeId id) {
  const Node& n = node(id);
  NodeId a = operand(n, 0), b = operand(n, 1);
  i32 constant;
  const bool swaps = is_commutative(n.op) && is_immediate(a, &constant) && !is_immediate(b, &constant);
  if (swaps) std::swap(a, b);
  const Location own = allocation_.of(id);
  const bool b_is_in_result = is_register(own) && location_or_none(b) == own;
  if (b_is_in_result && is_commutative(n.op) && location_or_none(a) != own) std::swap(a, b);
  const Gp to = result(id, x86::rax);
  const bool is_full = bytes_of(n.type) >= 4;
  if (is_immediate(b, &constant)) {
    const bool adds = n.op == Op::Add || (n.op == Op::Sub && constant != std::numeric_limits<i32>::min());
    const Location source = location_or_none(a);
    if (adds && is_full && is_general(source) && source != to.id()) {
      const i32 offset = n.op == Op::Add ? constant : -constant;
      a_.lea(sized(to, n.type), x86::ptr(x86::gpq(source), offset));
      return finish(id, to);
    }
    move_to_general(to, a);
    const Gp part = is_full ? sized(to, n.type) : to.r32();
    switch (n.op) {
      case Op::Add: a_.add(part, imm(constant)); break;
      case Op::Sub: a_.sub(part, imm(constant)); break;
      case Op::And: a_.and_(part, imm(constant)); break;
      case Op::Or: a_.or_(part, imm(constant)); break;
      default: a_.xor_(part, imm(constant));
    }
  } else {
    const Location first = location_or_none(a), second = location_or_none(b);
    if (n.op == Op::Add && is_full && is_general(first) && is_general(second) && first != to.id() &&
        second != to.id()) {
      a_.lea(sized(to, n.type), x86::ptr(x86::gpq(first), x86::gpq(second)));
      return finish(id, to);
    }
    const bool conflicts = is_register(own) && reads(b, own);
    const Gp t = conflicts ? Gp(x86::rax) : to;
    Mem memory;
    const bool is_memory = is_in_memory(b);
    if (is_memory) memory = memory_of(b, bytes_of(n.type));
    move_to_general(t, a);
    const Gp part = sized(t, n.type);
    const auto with = [&](auto&& source) {
      switch (n.op) {
        case Op::Add: a_.add(part, source); break;
        case Op::Sub: a_.sub(part, source); break;
        case Op::And: a_.and_(part, source); break;
        case Op::Or: a_.or_(part, source); break;
        default: a_.xor_(part, source);
      }
    };
    if (is_memory) with(memory);
    else with(sized(in_general(b, x86::rdx), n.type));
    if (t.id() != to.id()) a_.mov(to, t);
  }
  if (!is_full) {
    if (n.type == Type::I1) a_.and_(to.r32(), imm(1));
    else a_.movzx(to.r32(), sized(to, n.type));
  }
  finish(id, to);
}

void Emitter::emit_multiply(NodeId id) {
  const Node& n = node(id);
  if (bytes_of(n.type) < 4) return refuse(n, "is not compiled");
  NodeId a = operand(n, 0), b = operand(n, 1);
  i32 constant;
  if (is_immediate(a, &constant)) std::swap(a, b);
  const Gp to = result(id, x86::rax);
  if (is_immediate(b, &constant)) {
    const u32 factor = static_cast<u32>(constant);
    if (std::has_single_bit(factor) && constant > 0) {
      move_to_general(to, a);
      if (factor != 1) a_.shl(sized(to, n.type), imm(std::countr_zero(factor)));
    } else if (is_in_memory(a)) {
      a_.imul(sized(to, n.type), memory_of(a, bytes_of(n.type)), imm(constant));
    } else {
      a_.imul(sized(to, n.type), sized(in_general(a, x86::rax), n.type), imm(constant));
    }
    return finish(id, to);
  }
  const Location own = allocation_.of(id);
  if (is_register(own) && location_or_none(b) == own) std::swap(a, b);
  const Gp t = is_register(own) && reads(b, own) ? Gp(x86::rax) : to;
  if (is_in_memory(b)) {
    const Mem memory = memory_of(b, bytes_of(n.type));
    move_to_general(t, a);
    a_.imul(sized(t, n.type), memory);
  } else {
    move_to_general(t, a);
    a_.imul(sized(t, n.type), sized(in_general(b, x86::rdx), n.type));
  }
  if (t.id() != to.id()) a_.mov(to, t);
  finish(id, to);
}

// Divides an I32 by a constant of 2 or more, or computes the remainder, without the division instruction. If the
// constant is a power of two, emits shifts, otherwise a multiplication by the inverse (Hacker's Delight, 10-1). If the
// type or the divisor is a different one, emits nothing and returns false.
bool Emitter::divide_by_constant(NodeId id) {
  const Node& n = node(id);
  i32 divisor;
  if (n.type != Type::I32 || !is_immediate(operand(n, 1), &divisor) || divisor < 2) return false;
  const bool is_remainder = n.op == Op::Rem;
  move_to_general(x86::rcx, operand(n, 0));  // the dividend
  if (std::has_single_bit(static_cast<u32>(divisor))) {
    const int shift = std::countr_zero(static_cast<u32>(divisor));
    a_.mov(x86::eax, x86::ecx);
    a_.sar(x86::eax, imm(31));
    a_.shr(x86::eax, imm(32 - shift));
    a_.add(x86::eax, x86::ecx);  // adds divisor - 1 to the dividend if the dividend is negative
    if (is_remainder) {
      a_.and_(x86::eax, imm(-divisor));
      a_.sub(x86::ecx, x86::eax);
      finish(id, x86::rcx);
    } else {
      a_.sar(x86::eax, imm(shift));
      finish(id, x86::rax);
    }
    return true;
  }
  // floor(n / d) = (n * m) >> (32 + shift) for 0 <= n < 2^31, where m = ceil(2^(32 + shift) / d); m has 33 bits at most
  const int shift = 31 - std::countl_zero(static_cast<u32>(divisor));
  const u64 factor = ((u64{1} << (32 + shift)) + static_cast<u64>(divisor) - 1) / static_cast<u64>(divisor);
  a_.movsxd(x86::rax, x86::ecx);
  a_.mov(x86::rdx, imm(factor));
  a_.imul(x86::rax, x86::rdx);
  a_.sar(x86::rax, imm(32 + shift));
  a_.mov(x86::edx, x86::ecx);
  a_.shr(x86::edx, imm(31));
  a_.add(x86::eax, x86::edx);  // rounds towards 0
  if (is_remainder) {
    a_.imul(x86::eax, x86::eax, imm(divisor));
    a_.sub(x86::ecx, x86::eax);
    finish(id, x86::rcx);
  } else {
    finish(id, x86::rax);
  }
  return true;
}

void Emitter::emit_divide(NodeId id) {
  const Node& n = node(id);
  if (bytes_of(n.type) < 4) return refuse(n, "is not compiled");
  if (divide_by_constant(id)) return;
  move_to_general(x86::rax, operand(n, 0));
  const NodeId divisor = operand(n, 1);
  const bool is_long = is_wide(n.type), is_memory = is_in_memory(divisor);
  const Gp by = is_memory ? Gp(x86::rcx) : in_general(divisor, x86::rcx);
  if (is_long) a_.cqo();
  else a_.cdq();
  if (is_memory) a_.idiv(memory_of(divisor, bytes_of(n.type)));
  else a_.idiv(sized(by, n.type));
  finish(id, n.op == Op::Div ? x86::rax : x86::rdx);
}

void Emitter::emit_shift(NodeId id) {
  const Node& n = node(id);
  if (bytes_of(n.type) < 4) return refuse(n, "is not compiled");
  const Gp to = result(id, x86::rax);
  u64 count;
  if (is_constant(operand(n, 1), &count)) {
    count &= 8 * bytes_of(n.type) - 1;
    move_to_general(to, operand(n, 0));
    const Gp part = sized(to, n.type);
    if (count == 0) a_.mov(part, part);
    else if (n.op == Op::Shl) a_.shl(part, imm(count));
    else if (n.op == Op::Shr) a_.sar(part, imm(count));
    else a_.shr(part, imm(count));
    return finish(id, to);
  }
  if (has_bmi2_) {
    const Gp by = sized(in_general(operand(n, 1), x86::rcx), n.type), part = sized(to, n.type);
    const Gp from = sized(in_general(operand(n, 0), x86::rax), n.type);
    if (n.op == Op::Shl) a_.shlx(part, from, by);
    else if (n.op == Op::Shr) a_.sarx(part, from, by);
    else a_.shrx(part, from, by);
    return finish(id, to);
  }
  move_to_general(x86::rcx, operand(n, 1));
  move_to_general(x86::rax, operand(n, 0));
  const Gp part = sized(x86::rax, n.type);
  if (n.op == Op::Shl) a_.shl(part, x86::cl);
  else if (n.op == Op::Shr) a_.sar(part, x86::cl);
  else a_.shr(part, x86::cl);
  finish(id, x86::rax);
}

void Emitter::emit_multiply_high(NodeId id) {
  const Node& n = node(id);
  const bool is_signed = n.op == Op::MulHigh;
  move_to_general(x86::rax, operand(n, 0));
  move_to_general(x86::rcx, operand(n, 1));
  if (n.type == Type::I64) {
    if (is_signed) a_.imul(x86::rcx);
    else a_.mul(x86::rcx);
    return finish(id, x86::rdx);
  }
  if (n.type != Type::I32) return refuse(n, "is not compiled");
  if (is_signed) {
    a_.movsxd(x86::rax, x86::eax);
    a_.movsxd(x86::rcx, x86::ecx);
  }
  a_.imul(x86::rax, x86::rcx);
  a_.shr(x86::rax, imm(32));
  finish(id, x86::rax);
}

void Emitter::emit_minimum(NodeId id) {
  const Node& n = node(id);
  if (bytes_of(n.type) < 4) return refuse(n, "is not compiled");
  move_to_general(x86::rax, operand(n, 0));
  const Gp other = sized(in_general(operand(n, 1), x86::rdx), n.type), t = sized(x86::rax, n.type);
  a_.cmp(t, other);
  a_.cmov(n.op == Op::Min ? CondCode::kG : CondCode::kL, t, other);
  finish(id, x86::rax);
}

void Emitter::emit_count(NodeId id) {
  const Node& n = node(id);
  if (bytes_of(n.type) < 4) return refuse(n, "is not compiled");
  const u32 bits = 8 * bytes_of(n.type);
  move_to_general(x86::rax, operand(n, 0));
  const Gp t = sized(x86::rax, n.type), other = sized(x86::rcx, n.type);
  switch (n.op) {
    case Op::ByteSwap: a_.bswap(t); break;
    case Op::PopCount:
      if (!has_popcnt_) return refuse(n, "the processor has no popcnt");
      a_.popcnt(t, t);
      break;
    case Op::LeadingZeros:
      if (has_lzcnt_) {
        a_.lzcnt(t, t);
      } else {  // bsr returns the index of the highest bit; its result for 0 is undefined
        a_.mov(x86::ecx, imm(2 * bits - 1));
        a_.bsr(t, t);
        a_.cmovz(t, other);
        a_.xor_(t, imm(bits - 1));
      }
      break;
    default:
      if (has_bmi_) {
        a_.tzcnt(t, t);
      } else {
        a_.mov(x86::ecx, imm(bits));
        a_.bsf(t, t);
        a_.cmovz(t, other);
      }
  }
  finish(id, x86::rax);
}

void Emitter::emit_extend(NodeId id) {
  const Node& n = node(id);
  const Type from = type_of(operand(n, 0));
  NodeId source = resolve(operand(n, 0));
  if (selection_.form[source] == Form::Folded && node(source).op == Op::Truncate)
    source = resolve(operand(node(source), 0));
  const Gp to = result(id, x86::rax);
  const Gp target = sized(to, is_wide(n.type) ? Type::I64 : Type::I32);
  const auto extend = [&](auto&& operand) {
    if (n.op == Op::ZeroExtend) {
      if (from == Type::I32) a_.mov(to.r32(), operand);
      else a_.movzx(to.r32(), operand);
    } else if (from == Type::I32) {
      a_.movsxd(target, operand);
    } else {
      a_.movsx(target, operand);
    }
  };
  if (from == Type::I1 && n.op == Op::SignExtend) return refuse(n, "from an i1");
  u64 bits;
  if (is_in_memory(source)) {
    extend(memory_of(source, bytes_of(from)));
  } else if (is_constant(source, &bits)) {
    load_constant(x86::rax, bits);
    extend(sized(x86::rax, from));
  } else {
    extend(sized(in_general(source, x86::rax), from));
  }
  if (n.type == Type::I16 && n.op == Op::SignExtend) a_.movzx(to.r32(), to.r16());
  finish(id, to);
}

void Emitter::emit_truncate(NodeId id) {
  const Node& n = node(id);
  const Gp to = result(id, x86::rax);
  const Gp from = in_general(operand(n, 0), x86::rax);
  switch (n.type) {
    case Type::I1:
      a_.mov(x86::eax, from.r32());
      a_.and_(x86::eax, imm(1));
      return finish(id, x86::rax);
    case Type::I8:
    case Type::I16: a_.movzx(to.r32(), sized(from, n.type)); break;
    default: a_.mov(to.r32(), from.r32());
  }
  finish(id, to);
}

// Emits a Bits node: moves a bit pattern between a general and a vector register, or only changes its type.
void Emitter::emit_bits(NodeId id) {
  const Node& n = node(id);
  const NodeId from = operand(n, 0);
  if (is_float(n.type)) {
    const Xmm to = result(id, x86::xmm0);
    u64 bits;
    if (is_constant(from, &bits)) load_constant(to, bits);
    else if (n.type == Type::F32) a_.movd(to, in_general(from, x86::rax).r32());
    else a_.movq(to, in_general(from, x86::rax));
    return finish(id, to);
  }
  const Gp to = result(id, x86::rax);
  const Xmm value = in_vector(from, x86::xmm0);
  if (bytes_of(n.type) == 4) a_.movd(to.r32(), value);
  else a_.movq(to, value);
  finish(id, to);
}

// Emits a Select node, which returns one of two operands depending on a condition. Sets the flags first, and then moves
// the operands. The moves do not change the flags, so the conditional move after them can still test the flags.
void Emitter::emit_select(NodeId id) {
  const Node& n = node(id);
  const NodeId when_true = operand(n, 1), when_false = operand(n, 2);
  u64 bits;
  if (is_constant(operand(n, 0), &bits)) return refuse(n, "of a constant");
  if (is_float(n.type)) {
    const Condition condition = condition_of(operand(n, 0));
    const Label take_first = a_.newLabel(), done = a_.newLabel();
    jump_if(condition, take_first);
    move_to_vector(x86::xmm0, when_false);
    a_.jmp(done);
    a_.bind(take_first);
    move_to_vector(x86::xmm0, when_true);
    a_.bind(done);
    return finish(id, x86::xmm0);
  }
  const Condition condition = condition_of(operand(n, 0));
  const Gp part = is_wide(n.type) ? Gp(x86::rdx) : Gp(x86::edx);
  const auto choose = [&](CondCode code, NodeId other) {
    Gp value = x86::rax;
    if (selection_.form[resolve(other)] == Form::Folded) move_to_general(value, other, x86::rcx);
    else value = in_general(other, x86::rax);
    a_.cmov(code, part, sized(value, is_wide(n.type) ? Type::I64 : Type::I32));
  };
  if (condition.kind == Condition::Kind::Both) {
    move_to_general(x86::rdx, when_true);
    choose(x86::negateCond(condition.first), when_false);
    choose(x86::negateCond(condition.second), when_false);
  } else {
    move_to_general(x86::rdx, when_false);
    choose(condition.first, when_true);
    if (condition.kind == Condition::Kind::Either) choose(condition.second, when_true);
  }
  finish(id, x86::rdx);
}

}  // namespace keyhole::middle
