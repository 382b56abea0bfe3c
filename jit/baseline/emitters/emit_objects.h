// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of allocation from the TLAB, and of type tests.
#pragma once

#include "jit/baseline/emitters/emit_profile.h"

namespace keyhole::baseline {

class ObjectEmitter : Emitter {
 public:
  ObjectEmitter(Compilation& compilation, ProfileEmitter& profile) : Emitter(compilation), profile_(profile) {}
  void emit(Operation operation, u64 word);

 private:
  void new_instance(u32 size_units, u32 klass_id);
  void new_array(u32 element_shift, u32 klass_id);
  // A type test compares the wanted class with one word of the object's klass: an entry of the display of superclasses,
  // or the cache of the last search.
  void cast(const Klass* wanted, i32 place);
  void instance_of(const Klass* wanted, i32 place);
  void load_class(Gp object, Label null);

  ProfileEmitter& profile_;
};

}  // namespace keyhole::baseline
