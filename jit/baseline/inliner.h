// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlines small methods (which ones: inlining.h).
//
// There is no deoptimisation, because the call itself is the way out: an inlined cell that needs its slow path leaves
// to the interpreter at the caller's invoke, which then calls. The arguments stay on the compile-time stack, in their
// registers or locals, until the callee has returned, so that each of its cells can restore the state before the call.
//
// I1: after a cell that changes the heap no cell may leave (can_be_inlined checks).
// I2: the receiver's class, where the callee depends on it, is compared first; other classes are called, in a slow
// path.
// I3: a callee's quick cells imply which classes are initialised, as in all compiled code.
#pragma once

#include "jit/baseline/emitter.h"

namespace keyhole::baseline {

struct Emitters;

class Inliner : Emitter {
 public:
  Inliner(Compilation& compilation, Emitters& emitters) : Emitter(compilation), emitters_(emitters) {}

  // Inlines the method at the current cell, which calls it for every class of receiver. False: nothing has been
  // emitted.
  bool inline_call(Method* target);
  // `guard` jumps to its label unless the receiver's class has `target` as its method; there `call` is emitted, with
  // all operands in their stack slots.
  bool inline_guarded(Method* target, const std::function<void(Label)>& guard, std::function<void()> call);

 private:
  static bool is_enabled();
  void load_receiver(const Method* target);
  void emit_callee(Method* target);
  void emit_cells(Method* target);
  void emit_cell(Operation operation, u64 word, u32 first_argument);
  void load_argument(u32 slot, bool is_wide);
  void emit_nested_call(Method* nested, bool has_receiver);
  void emit_return(Operation operation, u32 first_argument);
  void emit_object_initializer(Method* target);
  void own_result(const Method* target);

  Emitters& emitters_;
};

}  // namespace keyhole::baseline
