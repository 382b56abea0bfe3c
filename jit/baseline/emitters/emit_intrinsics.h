// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of intrinsics: methods of Math, String and Thread as one or a few instructions in place of calls. The
// interpreter has frameless entries for the same methods (vm/interpreter/handlers/handlers_intrinsics.cpp).
//
//   String:  value ──> byte[]     one byte per character, or two
//            coder                0 = Latin-1: one;  1 = UTF-16: two, in the machine's order
//
// If the string is null, its byte[] is null (not yet initialised), or the index is out of bounds, the code takes a side
// exit at the invoke, and the interpreter calls the method. Both null checks are implicit, because the accesses are
// within the first 64 KiB.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

class IntrinsicEmitter : Emitter {
 public:
  explicit IntrinsicEmitter(Compilation& compilation) : Emitter(compilation) {}
  // Emits a static intrinsic. Returns false, without emitting code, if the method is not a static intrinsic.
  bool emit_static(Method* target);
  // Emits an intrinsic of String. The receiver's class is known.
  bool emit_string(Method* target);
  bool emit_thread(Method* target);

 private:
  void square_root();
  void absolute_double();
  void absolute_int();
  void minimum_or_maximum(bool is_minimum, bool is_long);
  void push_thread_object(Gp object);
  void current_thread();
  void current_carrier();
  void load_string_value(Gp target, const Value& receiver, Gp string);
  void string_length();
  void string_is_empty();
  void string_coder(bool is_latin1);
  void char_at(bool of_string);
};

}  // namespace keyhole::baseline
