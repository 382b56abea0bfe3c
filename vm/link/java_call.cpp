// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Forwards calls of Java methods to the registered engine.
#include "vm/link/java_call.h"

#include "runtime/base/check.h"
#include "vm/link/execution_engine.h"

namespace keyhole {
namespace {

ExecutionEngine* registered = nullptr;

}  // namespace

void register_execution_engine(ExecutionEngine* engine) { registered = engine; }

ExecutionEngine& execution_engine() {
  KEYHOLE_ASSERT(registered != nullptr, "no engine runs methods yet");
  return *registered;
}

u64 call_java(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  return execution_engine().call(thread, method, arguments);
}

u64 call_java_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  return execution_engine().call_virtual(thread, method, arguments);
}

}  // namespace keyhole
