// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter, with the compiler that is registered with it, as the engine that runs methods.
#pragma once

#include "vm/link/execution_engine.h"

namespace keyhole::interpreter {

class Engine final : public ExecutionEngine {
 public:
  MethodEntry first_entry(const Method* method) override;
  MethodEntry first_entry_from_code() override;

  u64 call(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT override;
  u64 call_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) MAY_SAFEPOINT override;

  void retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT override;

  // redefinition.cpp
  void retire_unchecked_code() override;
  void forget_code_of(std::span<Method* const> methods) override;
  void move_body(Method* method, Method* copy) override;

  // class_unloading.cpp
  void forget_dead_receivers(Method* method) override;
  void forget_dead_methods() override;
  void release_code(Method* method) override;
};

}  // namespace keyhole::interpreter
