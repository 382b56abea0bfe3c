// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inliner: inlines small methods (inlining.h decides which).
//
// An inlined callee has no frame, and side exits do not build one: when an inlined bytecode needs its slow path, the
// code takes a side exit at the caller's invoke, and the interpreter executes the whole call. The arguments stay on the
// compile-time stack, in their registers or locals, until the callee has returned. So each inlined bytecode can restore
// the state before the call.
//
// I1: after a bytecode of the callee has changed the heap, no later bytecode of the callee may take a side exit,
//     because the interpreter executes the callee again from its start. can_be_inlined checks this.
// I2: if the callee depends on the receiver's class, a guard compares the class first. For other classes the method is
//     called, in a slow path.
// I3: a quick bytecode of the callee proves that its class is initialised, as in all compiled code. So no check is
//     emitted.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

struct Emitters;

class Inliner : Emitter {
 public:
  Inliner(Compilation& compilation, Emitters& emitters) : Emitter(compilation), emitters_(emitters) {}

  // Inlines a method that the current bytecode calls for all receivers. Returns false, without emitting code, if the
  // method cannot be inlined.
  bool inline_call(Method* target);
  // Inlines `target` for receivers that pass a guard. `guard` emits the guard, which jumps to its label for receivers
  // with another method. At this label `call` emits the call, with all operands in their stack slots.
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
