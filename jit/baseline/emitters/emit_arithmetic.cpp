// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits arithmetic, conversions and comparisons.
#include "jit/baseline/emitters/emit_arithmetic.h"

#include <utility>

namespace keyhole::baseline {

// --- integers --------------------------------------------------------------------------------------------------------

ArithmeticEmitter::Binary ArithmeticEmitter::pop_binary(bool is_long, bool commutes) {
  registers_.reserve(is_long ? 4 : 2, 2);
  Value right = stack_.pop(is_long);
  Value left = stack_.pop(is_long);
  bool is_better_exchanged = left.is_constant() || (stack_.owns(right) && !stack_.owns(left));
  if (commutes && !right.is_constant() && is_better_exchanged) std::swap(left, right);
  Gp target = registers_.in_own_register(left);
  asmjit::Operand operand = registers_.as_operand(right, is_long ? 8 : 4);
  return {target, operand};
}

void ArithmeticEmitter::push(Gp target, bool is_long) {
  if (!is_long) return stack_.push_int(target);
  stack_.push_unused();
  stack_.push_register(target);
}

void ArithmeticEmitter::binary(asmjit::InstId instruction, bool is_long, bool commutes) {
  auto [target, right] = pop_binary(is_long, commutes);
  a_.emit(instruction, sized(target, is_long), right);
  push(target, is_long);
}

void ArithmeticEmitter::multiply(bool is_long) {
  auto [target, right] = pop_binary(is_long, true);
  Gp product = sized(target, is_long);
  if (right.isImm()) a_.emit(Inst::kIdImul, product, product, right);
  else a_.emit(Inst::kIdImul, product, right);
  push(target, is_long);
}

void ArithmeticEmitter::shift(asmjit::InstId instruction, bool is_long) {
  registers_.reserve(is_long ? 3 : 2, 2);
  Value distance = stack_.pop();
  Value value = stack_.pop(is_long);
  Gp target = registers_.in_own_register(value);
  Gp shifted = sized(target, is_long);
  if (distance.is_constant()) {
    a_.emit(instruction, shifted, imm(distance.bits & (is_long ? 63 : 31)));
  } else {
    values_.load(x86::rcx, distance);
    a_.emit(instruction, shifted, x86::cl);
  }
  push(target, is_long);
}

// Divides by a constant d, by multiplication with its reciprocal, rounded up. For 2^s < d < 2^(s+1) and m =
// ceil(2^(32+s) / d), the quotient is (dividend * m) >> (32+s), plus 1 for a negative dividend. m is below 2^32 and the
// dividend at most 2^31, so the product fits into 64 bits. For a negative divisor, computes the quotient by the
// divisor's absolute value.
void ArithmeticEmitter::quotient_in_ecx(Gp dividend, i64 divisor) {
  u64 size = static_cast<u64>(divisor < 0 ? -divisor : divisor);
  u32 shift = static_cast<u32>(63 - __builtin_clzll(size));
  if ((size & (size - 1)) == 0) {
    // A shift rounds down. To round towards zero, adds the divisor minus one to a negative dividend first.
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
}

bool ArithmeticEmitter::divide_by_constant(bool remainder) {
  Value right = stack_.peek();
  if (!right.is_int_constant() || right.bits == INT32_MIN || (right.bits >= -1 && right.bits <= 1)) return false;
  registers_.reserve(2, 2);
  stack_.pop();
  Value left = stack_.pop();
  Gp dividend = registers_.in_register(left);
  quotient_in_ecx(dividend, right.bits);
  if (right.bits < 0 && !remainder) a_.neg(x86::ecx);
  Gp target = registers_.reuse(left);
  if (remainder) {
    a_.imul(x86::ecx, x86::ecx, imm(static_cast<i32>(right.bits < 0 ? -right.bits : right.bits)));
    if (!stack_.owns(left)) a_.mov(target.r32(), dividend.r32());
    a_.sub(target.r32(), x86::ecx);
  } else {
    a_.mov(target.r32(), x86::ecx);
  }
  stack_.push_int(target);
  return true;
}

// Emits a division or a remainder. The machine instruction divides rdx:rax, and traps on a division by 0 and on MIN /
// -1.
void ArithmeticEmitter::divide(bool is_long, bool remainder) {
  if (!is_long && divide_by_constant(remainder)) return;
  registers_.reserve(is_long ? 4 : 2, 2);
  Value right = stack_.pop(is_long);
  Value left = stack_.pop(is_long);
  Gp divisor = sized(registers_.in_register(right), is_long);
  Gp low = sized(x86::rax, is_long), high = sized(x86::rdx, is_long);
  bool known = right.is_constant() && right.bits != 0 && right.bits != -1;
  Label by_minus_one = a_.newLabel(), done = a_.newLabel();
  if (!known) {
    a_.test(divisor, divisor);
    a_.jz(slow_paths_.fallback());
  }
  values_.load(x86::rax, left);
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
  Gp target = registers_.reuse(left);
  a_.mov(sized(target, is_long), remainder ? high : low);
  push(target, is_long);
}

void ArithmeticEmitter::compare_longs() {
  registers_.reserve(4, 2);
  Value right = stack_.pop_wide(), left = stack_.pop_wide();
  Gp first = registers_.in_register(left);
  a_.emit(Inst::kIdCmp, first, registers_.as_operand(right, 8));
  a_.setg(x86::al);
  a_.setl(x86::cl);
  a_.movzx(x86::eax, x86::al);
  a_.movzx(x86::ecx, x86::cl);
  a_.sub(x86::eax, x86::ecx);
  Gp target = registers_.reuse(left);
  a_.mov(target.r32(), x86::eax);
  stack_.push_int(target);
}

// --- floats ----------------------------------------------------------------------------------------------------------

void ArithmeticEmitter::float_binary(asmjit::InstId instruction, bool is_double) {
  registers_.reserve_xmm(is_double ? 4 : 2, 2);
  Value right = stack_.pop(is_double);
  Value left = stack_.pop(is_double);
  Xmm target = registers_.in_own_xmm(left);
  asmjit::Operand operand = registers_.as_xmm_operand(right, is_double ? 8 : 4);
  a_.emit(instruction, target, operand);
  if (is_double) stack_.push_unused();
  stack_.push_register(target);
}

// Compares left and right; the result is -1, 0 or 1. If an operand is NaN, the comparison sets CF, ZF and PF, as for
// less. With exchanged operands the same flags mean greater.
void ArithmeticEmitter::compare_floats(bool is_double, bool nan_is_greater) {
  registers_.reserve_xmm(is_double ? 4 : 2, 2);
  registers_.reserve(is_double ? 4 : 2, 1);
  Value right = stack_.pop(is_double);
  Value left = stack_.pop(is_double);
  if (nan_is_greater) std::swap(left, right);
  Xmm first = registers_.in_xmm(left);
  a_.emit(is_double ? Inst::kIdUcomisd : Inst::kIdUcomiss, first, registers_.as_xmm_operand(right, is_double ? 8 : 4));
  a_.seta(x86::al);
  a_.setae(x86::cl);
  a_.movzx(x86::eax, x86::al);
  a_.movzx(x86::ecx, x86::cl);
  Gp target = registers_.allocate();
  if (nan_is_greater) {  // result = 1 - above - not_below
    a_.mov(target.r32(), imm(1));
    a_.sub(target.r32(), x86::eax);
    a_.sub(target.r32(), x86::ecx);
  } else {  // result = above + not_below - 1
    a_.lea(target.r32(), x86::ptr(x86::rax, x86::rcx, 0, -1));
  }
  stack_.push_int(target);
}

// --- conversions -----------------------------------------------------------------------------------------------------

// Pops a value, loads it into a register of its own, lets `emit` change the register, and pushes the register.
template <typename Emit> void ArithmeticEmitter::in_place(u32 slots_in, u32 slots_out, Emit&& emit) {
  registers_.reserve(slots_in, 1);
  Value value = stack_.pop(slots_in == 2);
  Gp target = registers_.in_own_register(value);
  emit(target);
  push(target, slots_out == 2);
}

void ArithmeticEmitter::int_to_float(asmjit::InstId instruction, u32 slots_in, u32 slots_out) {
  registers_.reserve(slots_in, 1);
  registers_.reserve_xmm(slots_in, 1);
  Value value = stack_.pop(slots_in == 2);
  Gp source = registers_.in_register(value);
  Xmm target = registers_.allocate_xmm();
  a_.xorps(target, target);  // avoids a false dependency: the conversion keeps the upper bits
  a_.emit(instruction, target, sized(source, slots_in == 2));
  if (slots_out == 2) stack_.push_unused();
  stack_.push_register(target);
}

// Converts a floating-point value to an integer as Java defines it. The machine instruction returns MIN for NaN and for
// values that do not fit; if the result is MIN, the interpreter executes the bytecode.
void ArithmeticEmitter::float_to_int(asmjit::InstId instruction, u32 slots_in, bool is_long) {
  registers_.reserve(slots_in, 1);
  registers_.reserve_xmm(slots_in, 1);
  Value value = stack_.pop(slots_in == 2);
  Xmm source = registers_.in_xmm(value);
  Gp target = registers_.allocate();
  if (is_long) {
    a_.emit(instruction, x86::rax, source);
    a_.mov(x86::rcx, imm(u64{1} << 63));
    a_.cmp(x86::rax, x86::rcx);
  } else {
    a_.emit(instruction, x86::eax, source);
    a_.cmp(x86::eax, imm(INT32_MIN));
  }
  a_.je(slow_paths_.fallback());
  a_.mov(target, x86::rax);
  if (is_long) stack_.push_unused();
  stack_.push_register(target);
}

void ArithmeticEmitter::float_to_float(bool widens) {
  registers_.reserve_xmm(widens ? 1 : 2, 2);
  Value value = stack_.pop(!widens);
  Xmm source = registers_.in_xmm(value);
  Xmm target = registers_.allocate_xmm();
  if (widens) a_.cvtss2sd(target, source);
  else a_.cvtsd2ss(target, source);
  if (widens) stack_.push_unused();
  stack_.push_register(target);
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_arithmetic(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void ArithmeticEmitter::emit(interpreter::Operation operation, u64) {
  constexpr bool is_int = false, is_long = true, is_float = false, is_double = true, commutes = true;
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::iadd: return binary(Inst::kIdAdd, is_int, commutes);
    case Operation::isub: return binary(Inst::kIdSub, is_int, !commutes);
    case Operation::iand: return binary(Inst::kIdAnd, is_int, commutes);
    case Operation::ior: return binary(Inst::kIdOr, is_int, commutes);
    case Operation::ixor: return binary(Inst::kIdXor, is_int, commutes);
    case Operation::ladd: return binary(Inst::kIdAdd, is_long, commutes);
    case Operation::lsub: return binary(Inst::kIdSub, is_long, !commutes);
    case Operation::land: return binary(Inst::kIdAnd, is_long, commutes);
    case Operation::lor: return binary(Inst::kIdOr, is_long, commutes);
    case Operation::lxor: return binary(Inst::kIdXor, is_long, commutes);
    case Operation::imul: return multiply(is_int);
    case Operation::lmul: return multiply(is_long);
    case Operation::idiv: return divide(is_int, false);
    case Operation::irem: return divide(is_int, true);
    case Operation::ldiv: return divide(is_long, false);
    case Operation::lrem: return divide(is_long, true);
    case Operation::ishl: return shift(Inst::kIdShl, is_int);
    case Operation::ishr: return shift(Inst::kIdSar, is_int);
    case Operation::iushr: return shift(Inst::kIdShr, is_int);
    case Operation::lshl: return shift(Inst::kIdShl, is_long);
    case Operation::lshr: return shift(Inst::kIdSar, is_long);
    case Operation::lushr: return shift(Inst::kIdShr, is_long);
    case Operation::ineg: return in_place(1, 1, [&](Gp value) { a_.neg(value.r32()); });
    case Operation::lneg: return in_place(2, 2, [&](Gp value) { a_.neg(value); });
    case Operation::fneg: return in_place(1, 1, [&](Gp value) { a_.btc(value.r32(), imm(31)); });
    case Operation::dneg: return in_place(2, 2, [&](Gp value) { a_.btc(value, imm(63)); });
    case Operation::fadd: return float_binary(Inst::kIdAddss, is_float);
    case Operation::fsub: return float_binary(Inst::kIdSubss, is_float);
    case Operation::fmul: return float_binary(Inst::kIdMulss, is_float);
    case Operation::fdiv: return float_binary(Inst::kIdDivss, is_float);
    case Operation::dadd: return float_binary(Inst::kIdAddsd, is_double);
    case Operation::dsub: return float_binary(Inst::kIdSubsd, is_double);
    case Operation::dmul: return float_binary(Inst::kIdMulsd, is_double);
    case Operation::ddiv: return float_binary(Inst::kIdDivsd, is_double);
    case Operation::lcmp: return compare_longs();
    case Operation::fcmpl: return compare_floats(is_float, false);
    case Operation::fcmpg: return compare_floats(is_float, true);
    case Operation::dcmpl: return compare_floats(is_double, false);
    case Operation::dcmpg: return compare_floats(is_double, true);
    case Operation::i2l: return in_place(1, 2, [&](Gp value) { a_.movsxd(value, value.r32()); });
    case Operation::l2i: return in_place(2, 1, [&](Gp value) { a_.mov(value.r32(), value.r32()); });
    case Operation::i2b: return in_place(1, 1, [&](Gp value) { a_.movsx(value.r32(), value.r8()); });
    case Operation::i2c: return in_place(1, 1, [&](Gp value) { a_.movzx(value.r32(), value.r16()); });
    case Operation::i2s: return in_place(1, 1, [&](Gp value) { a_.movsx(value.r32(), value.r16()); });
    case Operation::i2f: return int_to_float(Inst::kIdCvtsi2ss, 1, 1);
    case Operation::i2d: return int_to_float(Inst::kIdCvtsi2sd, 1, 2);
    case Operation::l2f: return int_to_float(Inst::kIdCvtsi2ss, 2, 1);
    case Operation::l2d: return int_to_float(Inst::kIdCvtsi2sd, 2, 2);
    case Operation::f2i: return float_to_int(Inst::kIdCvttss2si, 1, false);
    case Operation::f2l: return float_to_int(Inst::kIdCvttss2si, 1, true);
    case Operation::d2i: return float_to_int(Inst::kIdCvttsd2si, 2, false);
    case Operation::d2l: return float_to_int(Inst::kIdCvttsd2si, 2, true);
    case Operation::f2d: return float_to_float(true);
    case Operation::d2f: return float_to_float(false);
    case Operation::frem:
    case Operation::drem: return interpret(operation);
  }
}

}  // namespace keyhole::baseline
