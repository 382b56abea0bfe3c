// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Adapts instructions and code to redefined methods (vm/link/redefinition.h). World stopped.
#include "vm/interpreter/engine.h"

#include <unordered_set>

#include "vm/interpreter/compiler.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/method_data.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::interpreter {

void Engine::retire_unchecked_code() {
  if (compiler() != nullptr) compiler()->retire_unchecked_code();
}

void Engine::retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) {
  if (compiler() != nullptr) compiler()->retire_invalidated_code(thread, klass);
}

void Engine::forget_code_of(std::span<Method* const> methods) {
  if (compiler() != nullptr) compiler()->make_obsolete(methods);
  if (tier_policy() == nullptr) return;
  std::unordered_set<const Method*> changed(methods.begin(), methods.end());
  tier_policy()->forget([&](const Method* method) { return changed.contains(method); });
}

void Engine::move_body(Method* method, Method* copy) {
  if (MethodCode* body = copy->body.load(std::memory_order_relaxed)) {
    body->method = copy;
    for (CompiledCode* code = body->compiled.load(std::memory_order_relaxed); code != nullptr; code = previous_of(code))
      code->method = copy;
  }
  if (MethodData* data = copy->data.load(std::memory_order_relaxed)) data->method = copy;
  bool stays_native = copy->is_native() && method->is_native();
  method->entry.store(stays_native ? copy->entry.load(std::memory_order_relaxed) : first_entry(method),
                      std::memory_order_release);
  // The method's code is retired, so compiled callers, too, enter the method through its first entry
  // (jit/code/method_codes.h M1).
  method->entry_from_code.store(first_entry_from_code(), std::memory_order_release);
  method->native.store(stays_native ? copy->native.load(std::memory_order_relaxed) : nullptr,
                       std::memory_order_release);
}

}  // namespace keyhole::interpreter
