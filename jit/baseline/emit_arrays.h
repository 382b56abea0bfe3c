// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array elements: null and index checks, then the access. What fails a check is repeated by the interpreter, which
// raises.
#pragma once

#include "jit/baseline/emit_profile.h"

namespace keyhole::baseline {

class ArrayEmitter : Emitter {
 public:
  ArrayEmitter(Compilation& compilation, ProfileEmitter& profile) : Emitter(compilation), profile_(profile) {}
  void emit(Operation operation, u64 word);

 private:
  // The element, when the array is not null and the index within it (a negative one is a large one). May use rcx. An
  // index whose upper half is undefined is extended on its way.
  Mem checked_element(const Value& array_value, Gp array, const Value& index, u32 shift);
  void load(u32 shift, Operation operation);
  void load_integer(Gp target, const Mem& from, Operation operation);
  void load_floating(const Mem& from, bool is_double);
  void store(u32 shift, Operation operation);
  void store_constant(const Mem& to, Gp array, i64 bits, Operation operation);
  void store_integer(const Mem& to, Gp array, Gp stored, Operation operation);
  // Of byte[] or boolean[], which share the instruction: the value in eax, of which a boolean keeps only its lowest
  // bit. Binds `store`.
  void store_low_byte(const Mem& to, Gp array, Label store);
  void store_reference_element();
  void check_element_type(Gp array, Gp stored);
  void length();

  ProfileEmitter& profile_;
};

}  // namespace keyhole::baseline
