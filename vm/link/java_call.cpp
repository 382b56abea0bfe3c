// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Forwards calls of Java methods to the registered engine. Until one registers, as in unit tests of the linker, methods
// have no entries, no code and no inline caches, and cannot be called.
#include "vm/link/java_call.h"

#include "runtime/base/check.h"
#include "vm/link/execution_engine.h"

namespace keyhole {
namespace {

struct NoEngine final : ExecutionEngine {
  MethodEntry first_entry(const Method*) override { return nullptr; }
  MethodEntry first_entry_from_code() override { return nullptr; }
  u64 call(JavaThread*, Method*, std::span<const Slot>) MAY_SAFEPOINT override {
    KEYHOLE_FATAL("no engine runs methods yet");
  }
  u64 call_virtual(JavaThread*, Method*, std::span<const Slot>) MAY_SAFEPOINT override {
    KEYHOLE_FATAL("no engine runs methods yet");
  }
  void retire_invalidated_code(JavaThread*, const InstanceKlass*) MAY_SAFEPOINT override {}
  void retire_unchecked_code() override {}
  void forget_code_of(std::span<Method* const>) override {}
  void move_body(Method*, Method*) override {}
  void forget_dead_receivers(Method*) override {}
  void forget_dead_methods() override {}
  void release_code(Method*) override {}
};
NoEngine no_engine;
ExecutionEngine* registered = &no_engine;

}  // namespace

void register_execution_engine(ExecutionEngine* engine) { registered = engine; }

ExecutionEngine& execution_engine() { return *registered; }

u64 call_java(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  return execution_engine().call(thread, method, arguments);
}

u64 call_java_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  return execution_engine().call_virtual(thread, method, arguments);
}

}  // namespace keyhole
