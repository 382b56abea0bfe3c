// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the engine that runs methods, as linking, redefinition and unloading use it. vm/interpreter
// implements it, in a layer above.
#pragma once

#include <span>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

class ExecutionEngine {
 public:
  // The entries of a method that has not been executed: they decode it, link the native body, or throw.
  virtual MethodEntry first_entry(const Method* method) = 0;
  virtual MethodEntry first_entry_from_code() = 0;  // null without a compiler

  // java_call.h
  virtual u64 call(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT = 0;
  virtual u64 call_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT = 0;

  // Retires code whose dependencies this class invalidates (class_hierarchy.h).
  virtual void retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT = 0;

  // Redefinition (redefinition.h). World stopped.
  // Retires code that does not check after its calls whether it is obsolete.
  virtual void retire_unchecked_code() = 0;
  // Makes code that depends on these methods obsolete. Called before their bodies are exchanged.
  virtual void forget_code_of(std::span<Method* const> methods) = 0;
  // `method` has just got another body; `copy` has the old one.
  virtual void move_body(Method* method, Method* copy) = 0;

  // Class unloading (class_unloading.h). World stopped.
  virtual void forget_dead_receivers(Method* method) = 0;  // clears inline caches of a live method
  virtual void forget_dead_methods() = 0;                  // in the tier policy
  virtual void release_code(Method* method) = 0;           // of a dead method

 protected:
  ~ExecutionEngine() = default;
};

// Called once, before the first class is built.
void register_execution_engine(ExecutionEngine* engine);
ExecutionEngine& execution_engine();

}  // namespace keyhole
