// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of accesses to fields, and of the accesses of jdk.internal.misc.Unsafe. A static field is in the mirror of
// its class. The collector moves the mirror, so the code loads its address from the klass.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

class FieldEmitter : Emitter {
 public:
  explicit FieldEmitter(Compilation& compilation) : Emitter(compilation) {}
  void emit(Operation operation, u64 word);
  // Emits an access of Unsafe in place of its call. Returns false, without emitting code, if the access needs a
  // barrier; then the method is called.
  bool emit_unsafe(const Method* target);

 private:
  struct Access {
    char type;  // the field's type, as in operations.def
    bool is_volatile, is_static, is_put;
    i32 offset;
    const Klass* holder;  // the class of a static field
  };

  static Access access_of(Operation operation, u64 word);
  bool is_floating() const;
  void load_mirror(Gp target, const Klass* klass);
  void get(const Access& access);
  void load(char type, Mem from);
  void load_floating(char type, const Mem& from);
  void put(const Access& access);
  void load_raw_address(Gp target);
  void get_raw(char type);
  void put_raw(char type);
  Value in_some_register(const Value& value);
  void store(char type, Mem to, const Value& value);
};

}  // namespace keyhole::baseline
