// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of array elements: null and index checks, then the access. When a check fails, the interpreter repeats the
// bytecode and throws.
#pragma once

#include "jit/baseline/emitters/emit_profile.h"

namespace keyhole::baseline {

class ArrayEmitter : Emitter {
 public:
  ArrayEmitter(Compilation& compilation, ProfileEmitter& profile) : Emitter(compilation), profile_(profile) {}
  void emit(Operation operation, u64 word);

 private:
  // Emits the null and index checks, and returns the element's address. The unsigned comparison with the length also
  // finds negative indices. May use rcx. Zero-extends an index whose upper half is undefined.
  Mem checked_element(const Value& array_value, Gp array, const Value& index, u32 shift);
  void load(u32 shift, Operation operation);
  void load_integer(Gp target, const Mem& from, Operation operation);
  void load_floating(const Mem& from, bool is_double);
  void store(u32 shift, Operation operation);
  void store_constant(const Mem& to, Gp array, i64 bits, Operation operation);
  void store_integer(const Mem& to, Gp array, Gp stored, Operation operation);
  // Emits the store of bastore, which is for byte[] and boolean[]: stores the low byte of eax, for a boolean[] only its
  // lowest bit. Binds `store`.
  void store_low_byte(const Mem& to, Gp array, Label store);
  void store_reference_element();
  void check_element_type(Gp array, Gp stored);
  void length();

  ProfileEmitter& profile_;
};

}  // namespace keyhole::baseline
