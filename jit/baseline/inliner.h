// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inliner: inlines small methods (inlining.h decides which).
//
// The callee has no frame, and none is built later: when an inlined bytecode needs its slow path, the code takes a side
// exit at the caller's invoke, and the interpreter makes the call. The arguments stay on the compile-time stack, in
// their registers or locals, until the callee has returned, so that each of its bytecodes can restore the state before
// the call.
//
// I1: in a callee no bytecode may take a side exit after one that has changed the heap, because the interpreter
//     executes the callee again from its start (can_be_inlined checks).
// I2: where the callee depends on the receiver's class, the class is compared first. For other classes the method is
//     called, in a slow path.
// I3: a callee's quick bytecodes imply which classes are initialised, as in all compiled code.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

struct Emitters;

class Inliner : Emitter {
 public:
  Inliner(Compilation& compilation, Emitters& emitters) : Emitter(compilation), emitters_(emitters) {}

  // Inlines a method that the current bytecode calls for every class of receiver. Returns false if nothing has been
  // emitted.
  bool inline_call(Method* target);
  // Inlines `target` for some classes. `guard` emits a jump to its label for receivers whose class has another method.
  // There `call` emits the call, with all operands in their stack slots.
  bool inline_guarded(Method* target, const std::function<void(Label)>& guard, std::function<void()> call);

 private:
  static bool is_enabled();
  void load_receiver(const Method* target);
  void emit_callee(Method* target);
  void emit_sites(Method* target);
  void emit_instruction(Operation operation, u64 word, u32 first_argument);
  void load_argument(u32 slot, bool is_wide);
  void emit_nested_call(Method* nested, bool has_receiver);
  void emit_return(Operation operation, u32 first_argument);
  void emit_object_initializer(Method* target);
  void own_result(const Method* target);

  Emitters& emitters_;
};

}  // namespace keyhole::baseline
