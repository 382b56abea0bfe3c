// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits floating-point operations as Java defines them: neither fused nor reordered.
#include "jit/middle/emitter.h"

namespace keyhole::middle {

using low::Op;
using low::Type;

void Emitter::emit_float(NodeId id) {
  const Node& n = node(id);
  const Type from = type_of(operand(n, 0));
  switch (n.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div: return emit_float_binary(id);
    case Op::Rem: return call_of_c(id, n.type == Type::F64 ? "fmod" : "fmodf");
    case Op::Neg:
    case Op::Abs: return emit_float_sign(id);
    case Op::Sqrt: {
      const Xmm to = result(id, x86::xmm0), value = in_vector(operand(n, 0), x86::xmm0);
      if (n.type == Type::F64) a_.sqrtsd(to, value);
      else a_.sqrtss(to, value);
      return finish(id, to);
    }
    case Op::IntToFloat: {
      const Gp value = in_general(operand(n, 0), x86::rax);
      if (from != Type::I32 && from != Type::I64) return refuse(n, "of this integer");
      const Gp part = sized(value, from);
      const Xmm to = result(id, x86::xmm0);
      // clears the target, because the conversion keeps the target's upper bits and would wait for the last write to
      // them
      a_.xorps(to, to);
      if (n.type == Type::F64) a_.cvtsi2sd(to, part);
      else a_.cvtsi2ss(to, part);
      return finish(id, to);
    }
    case Op::FloatToInt: return emit_float_to_int(id);
    case Op::FloatResize: {
      const Xmm to = result(id, x86::xmm0), value = in_vector(operand(n, 0), x86::xmm0);
      if (n.type == Type::F64) a_.cvtss2sd(to, value);
      else a_.cvtsd2ss(to, value);
      return finish(id, to);
    }
    default: refuse(n, "is not compiled");
  }
}

void Emitter::emit_float_binary(NodeId id) {
  const Node& n = node(id);
  NodeId a = operand(n, 0), b = operand(n, 1);
  const Location own = allocation_.of(id);
  const bool is_commutative = n.op == Op::Add || n.op == Op::Mul;
  if (is_commutative && is_vector(own) && location_or_none(b) == own && location_or_none(a) != own) std::swap(a, b);
  const Xmm to = result(id, x86::xmm0);
  const Xmm t = is_vector(own) && location_or_none(b) == own && location_or_none(a) != own ? x86::xmm0 : to;
  const bool is_double = n.type == Type::F64;
  const auto with = [&](auto&& source) {
    switch (n.op) {
      case Op::Add: is_double ? a_.addsd(t, source) : a_.addss(t, source); break;
      case Op::Sub: is_double ? a_.subsd(t, source) : a_.subss(t, source); break;
      case Op::Mul: is_double ? a_.mulsd(t, source) : a_.mulss(t, source); break;
      default: is_double ? a_.divsd(t, source) : a_.divss(t, source);
    }
  };
  if (is_in_memory(b)) {
    const Mem memory = memory_of(b, bytes_of(n.type));
    move_to_vector(t, a);
    with(memory);
  } else {
    const Xmm second = in_vector(b, x86::xmm1);
    move_to_vector(t, a);
    with(second);
  }
  if (t.id() != to.id()) a_.movaps(to, t);
  finish(id, to);
}

// Emits a negation or an absolute value: flips or clears the sign bit.
void Emitter::emit_float_sign(NodeId id) {
  const Node& n = node(id);
  const u64 sign = n.type == Type::F64 ? u64{1} << 63 : u64{1} << 31;
  const u64 all = n.type == Type::F64 ? ~u64{0} : ~u32{0};
  load_constant(x86::xmm1, n.op == Op::Neg ? sign : all ^ sign);
  move_to_vector(x86::xmm0, operand(n, 0));
  if (n.op == Op::Neg) a_.xorps(x86::xmm0, x86::xmm1);
  else a_.andps(x86::xmm0, x86::xmm1);
  finish(id, x86::xmm0);
}

// The conversion instruction returns the smallest integer for a NaN and for a value out of range. In these cases
// comparisons select Java's result: 0 for NaN, otherwise the smallest or the largest integer.
void Emitter::emit_float_to_int(NodeId id) {
  const Node& n = node(id);
  if (n.type != Type::I32 && n.type != Type::I64) return refuse(n, "to this integer");
  const bool is_double = type_of(operand(n, 0)) == Type::F64;
  const Gp t = sized(x86::rax, n.type);
  const Xmm value = in_vector(operand(n, 0), x86::xmm0);
  const Label done = a_.newLabel(), is_number = a_.newLabel();
  if (is_double) a_.cvttsd2si(t, value);
  else a_.cvttss2si(t, value);
  a_.cmp(t, imm(1));  // cmp subtracts 1 from the converted integer, which overflows only for the smallest integer
  a_.jno(done);
  a_.xorps(x86::xmm1, x86::xmm1);
  if (is_double) a_.ucomisd(value, x86::xmm1);
  else a_.ucomiss(value, x86::xmm1);
  a_.jnp(is_number);
  a_.xor_(x86::eax, x86::eax);
  a_.jmp(done);
  a_.bind(is_number);
  a_.jb(done);
  a_.dec(t);  // the largest number
  a_.bind(done);
  finish(id, x86::rax);
}

}  // namespace keyhole::middle
