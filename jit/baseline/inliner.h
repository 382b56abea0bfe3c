// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Small methods in place of calls to them (which ones: inlining.h).
//
// Nothing is deoptimised, because the call itself is the way out: whatever an inlined cell cannot do leaves the frame
// to the interpreter at the caller's invoke, which then calls. The arguments stay on the compile-time stack, in the
// registers or locals they are in, until the callee has returned, so that the state before the call is there at any
// cell of it.
//
// I1: behind a cell that changes the heap no cell may leave (can_be_inlined checks).
// I2: the receiver's class, where the callee depends on it, is compared first; other classes are called, in a slow
// path.
// I3: callees are as initialised as their quick cells say, like everything else compiled.
#pragma once

#include "jit/baseline/emitter.h"

namespace keyhole::baseline {

struct Emitters;

class Inliner : Emitter {
 public:
  Inliner(Compilation& compilation, Emitters& emitters) : Emitter(compilation), emitters_(emitters) {}

  // In place of the current cell, which calls the method whatever the receiver's class is. False: nothing has been
  // emitted.
  bool inline_call(Method* target);
  // `guard` goes to its label unless the receiver's class is one whose method is `target`; then `call` is made instead,
  // with all operands in their homes.
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
