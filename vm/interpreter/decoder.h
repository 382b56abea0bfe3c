// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prepares a method at its first call: pre-decodes its bytecode, or finds its native body.
#pragma once

#include "vm/code/instruction.h"

namespace keyhole::interpreter {

// Pre-decodes the method, and sets Method::body and Method::entry. If several threads decode the same method, the
// first result is kept. Reaches no safepoint.
MethodCode* prepare_bytecode(Method* method);
// Method::entry of bytecode that is not compiled.
MethodEntry entry_of_bytecode(const Method* method);
// Finds the C++ function of a native method, and sets Method::native and Method::entry. If there is no such function,
// returns false with an UnsatisfiedLinkError pending.
[[nodiscard]] bool prepare_native(JavaThread* thread, Method* method) MAY_SAFEPOINT;
// Runs a synchronized native method, whose frame is the top frame: enters the monitor, calls the C++ function, and
// exits the monitor.
u64 call_synchronized_native(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
