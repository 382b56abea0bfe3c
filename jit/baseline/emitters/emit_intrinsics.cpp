// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits code in place of calls of methods of Math, String and Thread.
#include "jit/baseline/emitters/emit_intrinsics.h"

#include "vm/interpreter/entries.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/link/well_known.h"

namespace keyhole::baseline {

using namespace interpreter;

// --- java.lang.Math --------------------------------------------------------------------------------------------------

void IntrinsicEmitter::square_root() {
  registers_.reserve_xmm(2, 2);
  Xmm source = registers_.in_xmm(stack_.pop_wide());
  Xmm result = registers_.allocate_xmm();
  a_.sqrtsd(result, source);
  stack_.push_unused();
  stack_.push_register(result);
}

void IntrinsicEmitter::absolute_double() {
  registers_.reserve(2, 1);
  Gp result = registers_.in_own_register(stack_.pop_wide());
  a_.btr(result, imm(63));
  stack_.push_unused();
  stack_.push_register(result);
}

void IntrinsicEmitter::absolute_int() {
  registers_.reserve(1, 1);
  Gp result = registers_.in_own_register(stack_.pop());
  a_.mov(x86::eax, result.r32());
  a_.neg(x86::eax);
  a_.cmovns(result.r32(), x86::eax);
  stack_.push_int(result);
}

void IntrinsicEmitter::minimum_or_maximum(bool is_minimum, bool is_long) {
  registers_.reserve(is_long ? 4 : 2, 2);
  Value right = stack_.pop(is_long);
  Value left = stack_.pop(is_long);
  Gp other = sized(registers_.in_register(right), is_long);
  Gp result = registers_.in_own_register(left);
  a_.cmp(other, sized(result, is_long));
  if (is_minimum) a_.cmovl(sized(result, is_long), other);
  else a_.cmovg(sized(result, is_long), other);
  if (!is_long) return stack_.push_int(result);
  stack_.push_unused();
  stack_.push_register(result);
}

bool IntrinsicEmitter::emit_static(Method* target) {
  switch (intrinsic_of(target)) {
    case Intrinsic::sqrt: return square_root(), true;
    case Intrinsic::abs_double: return absolute_double(), true;
    case Intrinsic::abs_int: return absolute_int(), true;
    case Intrinsic::min_int: return minimum_or_maximum(true, false), true;
    case Intrinsic::max_int: return minimum_or_maximum(false, false), true;
    case Intrinsic::min_long: return minimum_or_maximum(true, true), true;
    case Intrinsic::max_long: return minimum_or_maximum(false, true), true;
    case Intrinsic::current_thread: return current_thread(), true;
    case Intrinsic::current_carrier: return current_carrier(), true;
    case Intrinsic::ignore_int: return stack_.pop(), true;
    case Intrinsic::spin_wait: return a_.pause(), true;
    default: return false;
  }
}

// --- java.lang.Thread, java.lang.VirtualThread -----------------------------------------------------------------------

void IntrinsicEmitter::push_thread_object(Gp object) {
  stack_.push_register(object);
  stack_.peek(0).not_null = true;
}

void IntrinsicEmitter::current_thread() {
  registers_.reserve(0, 1);
  Gp result = registers_.allocate();
  a_.mov(result.r64(), thread_field(offsetof(JavaThread, current_object)));
  push_thread_object(result);
}

void IntrinsicEmitter::current_carrier() {
  registers_.reserve(0, 1);
  Gp result = registers_.allocate();
  a_.mov(result.r64(), thread_field(offsetof(JavaThread, carrier)));
  a_.mov(result.r64(), x86::ptr(result.r64(), static_cast<i32>(offsetof(Carrier, thread))));
  a_.mov(result.r64(), x86::ptr(result.r64(), static_cast<i32>(offsetof(JavaThread, thread_object))));
  push_thread_object(result);
}

bool IntrinsicEmitter::emit_thread(Method* target) {
  Intrinsic intrinsic = intrinsic_of(target);
  bool has_argument = intrinsic == Intrinsic::ignore_receiver_and_int || intrinsic == Intrinsic::set_current_thread;
  if (!has_argument && intrinsic != Intrinsic::ignore_receiver) return false;
  registers_.reserve(2, 2);
  Value argument = has_argument ? stack_.pop() : Value{}, receiver = stack_.pop();
  if (!receiver.not_null) null_checks_.check_side_exit(receiver, registers_.in_register(receiver));
  if (intrinsic == Intrinsic::set_current_thread)
    a_.mov(thread_field(offsetof(JavaThread, current_object)), registers_.in_register(argument).r64());
  return true;
}

// --- java.lang.String ------------------------------------------------------------------------------------------------

namespace {

Mem coder_of(Gp string) { return x86::byte_ptr(string, static_cast<i32>(well_known::String_coder)); }
Mem length_of(Gp array) { return x86::dword_ptr(array, layout::array_length_offset); }
constexpr i32 first_byte = static_cast<i32>(layout::array_base_offset(0));

}  // namespace

// Loads the byte[] of the string. The first access to the byte[] is also its null check.
void IntrinsicEmitter::load_string_value(Gp target, const Value& receiver, Gp string) {
  null_checks_.implicit_side_exit(receiver);
  a_.mov(target.r32(), x86::dword_ptr(string, static_cast<i32>(well_known::String_value)));
  a_.shl(target.r64(), imm(narrow_shift));
}

void IntrinsicEmitter::string_length() {
  registers_.reserve(1, 2);
  Value receiver = stack_.pop();
  Gp string = registers_.in_register(receiver), result = registers_.allocate();
  load_string_value(x86::rax, receiver, string);
  null_checks_.implicit_side_exit({});
  a_.mov(result.r32(), length_of(x86::rax));
  a_.mov(x86::cl, coder_of(string));
  a_.shr(result.r32(), x86::cl);
  stack_.push_int(result);
}

void IntrinsicEmitter::string_is_empty() {
  registers_.reserve(1, 2);
  Value receiver = stack_.pop();
  Gp string = registers_.in_register(receiver), result = registers_.allocate();
  load_string_value(x86::rax, receiver, string);
  null_checks_.implicit_side_exit({});
  a_.cmp(length_of(x86::rax), imm(0));
  a_.sete(x86::al);
  a_.movzx(result.r32(), x86::al);
  stack_.push_int(result);
}

// Pushes the string's coder, or whether the coder is Latin-1.
void IntrinsicEmitter::string_coder(bool is_latin1) {
  registers_.reserve(1, 2);
  Value receiver = stack_.pop();
  Gp string = registers_.in_register(receiver), result = registers_.allocate();
  null_checks_.implicit_side_exit(receiver);
  if (is_latin1) {
    a_.cmp(coder_of(string), imm(0));
    a_.sete(x86::al);
    a_.movzx(result.r32(), x86::al);
  } else {
    a_.movzx(result.r32(), coder_of(string));
  }
  stack_.push_int(result);
}

// Emits charAt for a String, or for the byte[] of a Latin-1 string.
void IntrinsicEmitter::char_at(bool of_string) {
  registers_.reserve(2, 3);
  Value index = stack_.pop(), receiver = stack_.pop();
  Gp holder = registers_.in_register(receiver), position = registers_.in_register(index);
  Gp result = registers_.allocate();
  Gp bytes = of_string ? Gp(x86::rax) : holder;
  u32 side_exit = slow_paths_.side_exit_path();
  Label outside = slow_paths_.side_exit(), done = a_.newLabel();
  a_.mov(x86::ecx, position.r32());  // clears the upper half, which may be undefined
  if (of_string) {
    load_string_value(bytes, receiver, holder);
    Label wide = a_.newLabel();
    a_.cmp(coder_of(holder), imm(0));
    a_.jne(wide);
    slow_paths_.add_cold([this, wide, outside, done, side_exit, result] {
      a_.bind(wide);
      null_checks_.implicit(side_exit);
      a_.mov(x86::edx, length_of(x86::rax));
      a_.shr(x86::edx, imm(1));
      a_.cmp(x86::ecx, x86::edx);
      a_.jae(outside);
      a_.movzx(result.r32(), x86::word_ptr(x86::rax, x86::rcx, 1, first_byte));
      a_.jmp(done);
    });
  }
  null_checks_.implicit_side_exit(of_string ? Value{} : receiver);
  a_.cmp(x86::ecx, length_of(bytes));
  a_.jae(outside);
  a_.movzx(result.r32(), x86::byte_ptr(bytes, x86::rcx, 0, first_byte));
  a_.bind(done);
  stack_.push_int(result);
}

bool IntrinsicEmitter::emit_string(Method* target) {
  switch (intrinsic_of(target)) {
    case Intrinsic::string_char_at: return char_at(true), true;
    case Intrinsic::latin1_char_at: return char_at(false), true;
    case Intrinsic::string_length: return string_length(), true;
    case Intrinsic::string_is_empty: return string_is_empty(), true;
    case Intrinsic::string_coder: return string_coder(false), true;
    case Intrinsic::string_is_latin1: return string_coder(true), true;
    default: return false;
  }
}

}  // namespace keyhole::baseline
