// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, conversions, comparisons. What they compute: vm/interpreter/semantics.h. Remainders of floats are left to the interpreter.
#include "jit/baseline/method_compiler.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

template <typename Emit> void MethodCompiler::int_binary(Emit&& emit, bool is_long, bool commutes) {
  reserve(is_long ? 4 : 2, 2);
  Value right = is_long ? pop_wide() : pop();
  Value left = is_long ? pop_wide() : pop();
  auto can_be_changed = [&](const Value& value) { return value.kind == Kind::Register && value.number < xmm_base && uses_[value.number] == 0; };
  if (commutes && !right.is_constant() && (left.is_constant() || (can_be_changed(right) && !can_be_changed(left)))) std::swap(left, right);
  Gp target = in_own_register(left);
  asmjit::Operand operand = as_operand(right, is_long ? 8 : 4);
  emit(sized(target, is_long), operand);
  if (!is_long) return push_int(target);
  push_unused();
  push_register(target);
}

void MethodCompiler::shift(Operation operation, bool is_long) {
  reserve(is_long ? 3 : 2, 2);
  Value distance = pop();
  Value value = is_long ? pop_wide() : pop();
  Gp target = in_own_register(value);
  Gp value_register = sized(target, is_long);
  asmjit::InstId instruction = operation == Operation::ishl || operation == Operation::lshl ? Inst::kIdShl
                             : operation == Operation::ishr || operation == Operation::lshr ? Inst::kIdSar : Inst::kIdShr;
  if (distance.is_constant()) {
    a_.emit(instruction, value_register, imm(distance.bits & (is_long ? 63 : 31)));
  } else {
    load_to(x86::rcx, distance);
    a_.emit(instruction, value_register, x86::cl);
  }
  if (!is_long) return push_int(target);
  push_unused();
  push_register(target);
}

// By multiplication with the reciprocal, rounded up: for 2^s < d < 2^(s+1) and m = ceil(2^(32+s) / d) the quotient is the product's part above
// 2^(32+s), plus 1 for negative dividends. m is below 2^32 and the dividend at most 2^31, so that the product fits into 64 bits.
bool MethodCompiler::divide_by_constant(bool remainder) {
  Value right = peek();
  if (!right.is_int_constant() || right.bits == INT32_MIN || right.bits == 0 || right.bits == 1 || right.bits == -1) return false;
  i64 divisor = right.bits;
  u64 size = static_cast<u64>(divisor < 0 ? -divisor : divisor);
  reserve(2, 2);
  pop();
  Value left = pop();
  Gp dividend = in_register(left);
  u32 shift = static_cast<u32>(63 - __builtin_clzll(size));
  Gp quotient = x86::rcx;
  if ((size & (size - 1)) == 0) {
    // Rounded towards zero: a negative dividend has the divisor less one added first.
    a_.mov(x86::eax, dividend.r32());
    a_.sar(x86::eax, imm(31));
    a_.shr(x86::eax, imm(32 - shift));
    a_.lea(x86::ecx, x86::ptr(x86::rax, dividend.r64()));
    a_.sar(x86::ecx, imm(shift));
  } else {
    u64 reciprocal = ((u64{1} << (32 + shift)) + size - 1) / size;
    a_.movsxd(x86::rax, dividend.r32());
    a_.mov(x86::ecx, imm(static_cast<u32>(reciprocal)));
    a_.imul(x86::rcx, x86::rax);
    a_.sar(x86::rcx, imm(32 + shift));
    a_.sar(x86::eax, imm(31));
    a_.sub(x86::ecx, x86::eax);
  }
  if (divisor < 0 && !remainder) a_.neg(x86::ecx);
  bool own = left.kind == Kind::Register && left.number < xmm_base && uses_[left.number] == 0;
  Gp target = own ? x86::gpq(left.number) : allocate();
  if (remainder) {
    a_.imul(x86::ecx, quotient.r32(), imm(static_cast<i32>(size)));
    if (!own) a_.mov(target.r32(), dividend.r32());
    a_.sub(target.r32(), x86::ecx);
  } else {
    a_.mov(target.r32(), quotient.r32());
  }
  push_int(target);
  return true;
}

// The machine divides rdx:rax and traps on 0 and on MIN / -1.
void MethodCompiler::divide(bool is_long, bool remainder) {
  reserve(is_long ? 4 : 2, 2);
  Value right = is_long ? pop_wide() : pop();
  Value left = is_long ? pop_wide() : pop();
  Gp divisor = in_register(right);
  divisor = sized(divisor, is_long);
  Gp low = sized(x86::rax, is_long), high = sized(x86::rdx, is_long);
  bool known = right.is_constant() && right.bits != 0 && right.bits != -1;
  Label by_minus_one = a_.newLabel(), done = a_.newLabel();
  if (!known) {
    a_.test(divisor, divisor);
    a_.jz(slow());
  }
  load_to(x86::rax, left);
  if (!known) {
    a_.cmp(divisor, imm(-1));
    a_.je(by_minus_one);
  }
  if (is_long) a_.cqo();
  else a_.cdq();
  a_.idiv(divisor);
  if (!known) {
    a_.jmp(done);
    a_.bind(by_minus_one);
    if (remainder) a_.xor_(x86::edx, x86::edx);
    else a_.neg(low);
    a_.bind(done);
  }
  Gp target = left.kind == Kind::Register && left.number < xmm_base && uses_[left.number] == 0 ? x86::gpq(left.number) : allocate();
  a_.mov(sized(target, is_long), remainder ? high : low);
  if (!is_long) return push_int(target);
  push_unused();
  push_register(target);
}

void MethodCompiler::float_binary(Operation operation, bool is_double) {
  reserve_xmm(is_double ? 4 : 2, 2);
  Value right = is_double ? pop_wide() : pop();
  Value left = is_double ? pop_wide() : pop();
  Xmm target = in_own_xmm(left, is_double);
  asmjit::Operand operand = as_xmm_operand(right, is_double ? 8 : 4);
  asmjit::InstId instruction;
  switch (operation) {
    case Operation::fadd: instruction = Inst::kIdAddss; break;
    case Operation::fsub: instruction = Inst::kIdSubss; break;
    case Operation::fmul: instruction = Inst::kIdMulss; break;
    case Operation::fdiv: instruction = Inst::kIdDivss; break;
    case Operation::dadd: instruction = Inst::kIdAddsd; break;
    case Operation::dsub: instruction = Inst::kIdSubsd; break;
    case Operation::dmul: instruction = Inst::kIdMulsd; break;
    default: instruction = Inst::kIdDivsd; break;
  }
  a_.emit(instruction, target, operand);
  if (is_double) push_unused();
  push_register(target);
}

// left, right => -1, 0 or 1. An unordered comparison sets CF, ZF and PF: with the operands exchanged NaN looks greater instead of less.
void MethodCompiler::float_compare_result(bool is_double, bool nan_is_greater) {
  reserve_xmm(is_double ? 4 : 2, 2);
  reserve(is_double ? 4 : 2, 1);
  Value right = is_double ? pop_wide() : pop();
  Value left = is_double ? pop_wide() : pop();
  if (nan_is_greater) std::swap(left, right);
  Xmm first = in_xmm(left, is_double);
  a_.emit(is_double ? Inst::kIdUcomisd : Inst::kIdUcomiss, first, as_xmm_operand(right, is_double ? 8 : 4));
  a_.seta(x86::al);
  a_.setae(x86::cl);
  a_.movzx(x86::eax, x86::al);
  a_.movzx(x86::ecx, x86::cl);
  Gp target = allocate();
  if (nan_is_greater) {   // 1 - above - not below
    a_.mov(target.r32(), imm(1));
    a_.sub(target.r32(), x86::eax);
    a_.sub(target.r32(), x86::ecx);
  } else {                // above + not below - 1
    a_.lea(target.r32(), x86::ptr(x86::rax, x86::rcx, 0, -1));
  }
  push_int(target);
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_arithmetic(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_arithmetic(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  if (fuse_comparison(operation)) return;
  auto simple = [&](asmjit::InstId instruction, bool is_long, bool commutes) {
    int_binary([&](Gp target, const asmjit::Operand& operand) { a_.emit(instruction, target, operand); }, is_long, commutes);
  };
  auto multiply = [&](bool is_long) {
    int_binary([&](Gp target, const asmjit::Operand& operand) {
      if (operand.isImm()) a_.emit(Inst::kIdImul, target, target, operand);
      else a_.emit(Inst::kIdImul, target, operand);
    }, is_long, true);
  };
  // A conversion in place: value of `slots_in` slots to one of `slots_out`.
  auto unary = [&](u32 slots_in, u32 slots_out, auto&& emit) {
    reserve(slots_in, 1);
    Value value = slots_in == 2 ? pop_wide() : pop();
    Gp target = in_own_register(value);
    emit(target);
    if (slots_out == 2) {
      push_unused();
      push_register(target);
    } else {
      push_int(target);
    }
  };
  auto from_int = [&](asmjit::InstId instruction, u32 slots_in, u32 slots_out) {
    reserve(slots_in, 1);
    reserve_xmm(slots_in, 1);
    Value value = slots_in == 2 ? pop_wide() : pop();
    Gp source = in_register(value);
    Xmm target = allocate_xmm();
    a_.xorps(target, target);   // the conversion keeps the upper part: do not wait for who wrote it
    a_.emit(instruction, target, sized(source, slots_in == 2));
    if (slots_out == 2) push_unused();
    push_register(target);
  };
  // MIN is what the machine says for NaN and for what does not fit.
  auto to_int = [&](asmjit::InstId instruction, u32 slots_in, bool is_long) {
    reserve(slots_in, 1);
    reserve_xmm(slots_in, 1);
    Value value = slots_in == 2 ? pop_wide() : pop();
    Xmm source = in_xmm(value, slots_in == 2);
    Gp target = allocate();
    if (is_long) {
      a_.emit(instruction, x86::rax, source);
      a_.mov(x86::rcx, imm(u64{1} << 63));
      a_.cmp(x86::rax, x86::rcx);
    } else {
      a_.emit(instruction, x86::eax, source);
      a_.cmp(x86::eax, imm(INT32_MIN));
    }
    a_.je(slow());
    a_.mov(target, x86::rax);
    if (is_long) push_unused();
    push_register(target);
  };
  switch (static_cast<Emitted>(operation)) {
    case Operation::iadd: return simple(Inst::kIdAdd, false, true);
    case Operation::isub: return simple(Inst::kIdSub, false, false);
    case Operation::iand: return simple(Inst::kIdAnd, false, true);
    case Operation::ior: return simple(Inst::kIdOr, false, true);
    case Operation::ixor: return simple(Inst::kIdXor, false, true);
    case Operation::ladd: return simple(Inst::kIdAdd, true, true);
    case Operation::lsub: return simple(Inst::kIdSub, true, false);
    case Operation::land: return simple(Inst::kIdAnd, true, true);
    case Operation::lor: return simple(Inst::kIdOr, true, true);
    case Operation::lxor: return simple(Inst::kIdXor, true, true);
    case Operation::imul: return multiply(false);
    case Operation::lmul: return multiply(true);
    case Operation::idiv: if (!divide_by_constant(false)) divide(false, false); return;
    case Operation::irem: if (!divide_by_constant(true)) divide(false, true); return;
    case Operation::ldiv: return divide(true, false);
    case Operation::lrem: return divide(true, true);
    case Operation::ishl: case Operation::ishr: case Operation::iushr: return shift(operation, false);
    case Operation::lshl: case Operation::lshr: case Operation::lushr: return shift(operation, true);
    case Operation::fadd: case Operation::fsub: case Operation::fmul: case Operation::fdiv:
      return float_binary(operation, false);
    case Operation::dadd: case Operation::dsub: case Operation::dmul: case Operation::ddiv:
      return float_binary(operation, true);
    case Operation::ineg: return unary(1, 1, [&](Gp target) { a_.neg(target.r32()); });
    case Operation::lneg: return unary(2, 2, [&](Gp target) { a_.neg(target); });
    case Operation::fneg: return unary(1, 1, [&](Gp target) { a_.btc(target.r32(), imm(31)); });
    case Operation::dneg: return unary(2, 2, [&](Gp target) { a_.btc(target, imm(63)); });
    case Operation::i2l: return unary(1, 2, [&](Gp target) { a_.movsxd(target, target.r32()); });
    case Operation::l2i: return unary(2, 1, [&](Gp target) { a_.mov(target.r32(), target.r32()); });
    case Operation::i2b: return unary(1, 1, [&](Gp target) { a_.movsx(target.r32(), target.r8()); });
    case Operation::i2c: return unary(1, 1, [&](Gp target) { a_.movzx(target.r32(), target.r16()); });
    case Operation::i2s: return unary(1, 1, [&](Gp target) { a_.movsx(target.r32(), target.r16()); });
    case Operation::i2f: return from_int(Inst::kIdCvtsi2ss, 1, 1);
    case Operation::i2d: return from_int(Inst::kIdCvtsi2sd, 1, 2);
    case Operation::l2f: return from_int(Inst::kIdCvtsi2ss, 2, 1);
    case Operation::l2d: return from_int(Inst::kIdCvtsi2sd, 2, 2);
    case Operation::f2i: return to_int(Inst::kIdCvttss2si, 1, false);
    case Operation::f2l: return to_int(Inst::kIdCvttss2si, 1, true);
    case Operation::d2i: return to_int(Inst::kIdCvttsd2si, 2, false);
    case Operation::d2l: return to_int(Inst::kIdCvttsd2si, 2, true);
    case Operation::f2d: case Operation::d2f: {
      bool widens = static_cast<Emitted>(operation) == Operation::f2d;
      reserve_xmm(widens ? 1 : 2, 2);
      Value value = widens ? pop() : pop_wide();
      Xmm source = in_xmm(value, !widens);
      Xmm target = allocate_xmm();
      if (widens) a_.cvtss2sd(target, source);
      else a_.cvtsd2ss(target, source);
      if (widens) push_unused();
      return push_register(target);
    }
    case Operation::lcmp: {
      reserve(4, 2);
      Value right = pop_wide(), left = pop_wide();
      Gp first = in_register(left);
      a_.emit(Inst::kIdCmp, first, as_operand(right, 8));
      a_.setg(x86::al);
      a_.setl(x86::cl);
      a_.movzx(x86::eax, x86::al);
      a_.movzx(x86::ecx, x86::cl);
      a_.sub(x86::eax, x86::ecx);
      Gp target = left.kind == Kind::Register && uses_[left.number] == 0 && left.number < xmm_base ? x86::gpq(left.number) : allocate();
      a_.mov(target.r32(), x86::eax);
      return push_int(target);
    }
    case Operation::fcmpl: return float_compare_result(false, false);
    case Operation::fcmpg: return float_compare_result(false, true);
    case Operation::dcmpl: return float_compare_result(true, false);
    case Operation::dcmpg: return float_compare_result(true, true);
    case Operation::frem: case Operation::drem: return run_in_interpreter(operation, word);
  }
}

}  // namespace keyhole::baseline
