// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of calls. Unresolved calls are left to the interpreter. Small methods are inlined (inliner.h). All other
// methods are called (call_sites.h):
//
//   invokestatic, invokespecial     the method is known
//   invokevirtual, same class       one class seen: it is compared; others through the table
//   invokevirtual, same method      one method seen: inlined if the receiver's table has it
//   invokevirtual                   through the table
//   invokeinterface                 the last class is compared; then the site's cache; then a search
//   invokespecial in an interface,  the method is known, and the receiver's class is tested as by checkcast
//   private interface methods
//   invokedynamic, invokehandle     the method is known, and has one more argument
#pragma once

#include "jit/baseline/emitters/emit_profile.h"
#include "jit/baseline/inliner.h"

namespace keyhole::baseline {

class InvokeEmitter : Emitter {
 public:
  InvokeEmitter(Compilation& compilation, ProfileEmitter& profile, Inliner& inliner)
      : Emitter(compilation), profile_(profile), inliner_(inliner) {}
  void emit(Operation operation, u64 word);

 private:
  Call call_of_instruction(u64 word);
  void invoke_known(const Call& call, bool has_receiver);
  void invoke_same_class(const Call& call);
  void invoke_same_method(const Call& call);
  void invoke_through_table(const Call& call, i32 offset);
  void invoke_interface(const Call& call);
  void invoke_checked(const Call& call, Method* target, const Klass* interface);
  void invoke_linked(const Call& call, bool has_receiver);
  void side_exit_unresolved(Operation operation);

  // --- the receiver --------------------------------------------------------------------------------------------------
  // Stores all operands to their stack slots, and returns a register with the receiver.
  Gp flush_but_receiver(const Call& call);
  void load_class(const Call& call);                  // loads the receiver's class into eax; side exit for null
  void load_class_from_stack_slot(const Call& call);  // the same, in a slow path: the receiver is in its stack slot
  // Jumps to `other` unless the receiver has the class, or its class has the method.
  void guard_class(const Call& call, u32 klass, Label other);
  void guard_method(const Call& call, const Method* expected, i32 offset, Label other);
  bool may_speculate(const Klass* klass) const;

  // --- the call ------------------------------------------------------------------------------------------------------
  void select(i32 offset);  // loads the method for the class in eax into rdx
  void call_through_table(const Call& call, i32 offset);
  void call_through_cache(const Call& call, bool is_cold);
  void search(const Call& call, Label other);
  void call_handler(const Call& call);
  void finish(const Call& call);

  ProfileEmitter& profile_;
  Inliner& inliner_;
};

}  // namespace keyhole::baseline
