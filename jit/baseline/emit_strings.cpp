// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String.length, isEmpty, charAt and what they are made of, in place of calls to them. The interpreter's entries without a frame do the same
// (vm/interpreter/handlers_intrinsics.cpp).
//
//   String:  value ──> byte[]     one byte per character, or two
//            coder                0 = Latin-1: one;  1 = UTF-16: two, in the machine's order
//
// Null, an index out of bounds, and a string whose value is not there yet leave the frame to the interpreter at the invoke, which calls. Both nulls are found by
// the machine: what is accessed behind them lies in the first 64 KiB.
#include "jit/baseline/method_compiler.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/link/well_known.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

Mem coder_of(Gp string) { return x86::byte_ptr(string, static_cast<i32>(well_known::String_coder)); }
Mem length_of(Gp array) { return x86::dword_ptr(array, layout::array_length_offset); }
constexpr i32 first_byte = static_cast<i32>(layout::array_base_offset(0));

}  // namespace

void MethodCompiler::leave_at_null(const Value& object) {
  if (object.not_null) return;
  leaving();
  implicit_checks_.push_back({static_cast<u32>(a_.offset()), static_cast<u32>(leaving_of_cell_)});
}

// The byte[] of the string; its first access is to find out when that is null.
void MethodCompiler::load_string_value(Gp target, const Value& receiver, Gp string) {
  leave_at_null(receiver);
  a_.mov(target.r32(), x86::dword_ptr(string, static_cast<i32>(well_known::String_value)));
  a_.shl(target.r64(), imm(narrow_shift));
}

bool MethodCompiler::emit_string_intrinsic(Method* target) {
  Intrinsic intrinsic = intrinsic_of(target);
  if (intrinsic == Intrinsic::string_char_at) return emit_char_at(true), true;
  if (intrinsic == Intrinsic::latin1_char_at) return emit_char_at(false), true;
  bool length = intrinsic == Intrinsic::string_length, is_empty = intrinsic == Intrinsic::string_is_empty;
  bool coder = intrinsic == Intrinsic::string_coder, is_latin1 = intrinsic == Intrinsic::string_is_latin1;
  if (!length && !is_empty && !coder && !is_latin1) return false;
  reserve(1, 2);
  Value receiver = pop();
  Gp string = in_register(receiver), result = allocate();
  if (coder) {
    leave_at_null(receiver);
    a_.movzx(result.r32(), coder_of(string));
  } else if (is_latin1) {
    leave_at_null(receiver);
    a_.cmp(coder_of(string), imm(0));
    a_.sete(x86::al);
    a_.movzx(result.r32(), x86::al);
  } else {
    load_string_value(x86::rax, receiver, string);
    leave_at_null({});
    if (length) {
      a_.mov(result.r32(), length_of(x86::rax));
      a_.mov(x86::cl, coder_of(string));
      a_.shr(result.r32(), x86::cl);
    } else {
      a_.cmp(length_of(x86::rax), imm(0));
      a_.sete(x86::al);
      a_.movzx(result.r32(), x86::al);
    }
  }
  return push_int(result), true;
}

// Of a String, or of the byte[] of one that is Latin-1.
void MethodCompiler::emit_char_at(bool of_string) {
  reserve(2, 3);
  Value index = pop(), receiver = pop();
  Gp holder = in_register(receiver), position = in_register(index), result = allocate();
  Gp bytes = of_string ? Gp(x86::rax) : holder;
  Label outside = leaving(), done = a_.newLabel();
  u32 way_out = static_cast<u32>(leaving_of_cell_);
  a_.mov(x86::ecx, position.r32());   // its upper half may be undefined
  if (of_string) {
    load_string_value(bytes, receiver, holder);
    Label wide = a_.newLabel();
    a_.cmp(coder_of(holder), imm(0));
    a_.jne(wide);
    cold_.push_back([this, wide, outside, done, way_out, result] {
      a_.bind(wide);
      implicit_checks_.push_back({static_cast<u32>(a_.offset()), way_out});
      a_.mov(x86::edx, length_of(x86::rax));
      a_.shr(x86::edx, imm(1));
      a_.cmp(x86::ecx, x86::edx);
      a_.jae(outside);
      a_.movzx(result.r32(), x86::word_ptr(x86::rax, x86::rcx, 1, first_byte));
      a_.jmp(done);
    });
  }
  leave_at_null(of_string ? Value{} : receiver);
  a_.cmp(x86::ecx, length_of(bytes));
  a_.jae(outside);
  a_.movzx(result.r32(), x86::byte_ptr(bytes, x86::rcx, 0, first_byte));
  a_.bind(done);
  push_int(result);
}

}  // namespace keyhole::baseline
