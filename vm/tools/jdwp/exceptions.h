// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports exceptions of Java code to the debugger: one event for each throw, with the handler that will catch it.
//
//   throw ----> pending ---- frame after frame, out of compiled code, through C++ ----> caught
//               reported once                       the same exception: skipped         forgotten
//
// X1: an exception is reported where unwinding first meets it, before any frame is popped. `reported` holds it until
//     Java code catches it. If a handler throws it again, it is reported again.
// X2: the handler is searched before unwinding, in the same way as unwinding does it. This search may load the
//     exception classes that handlers name. If loading throws an exception, it is dropped; unwinding will throw it
//     again when it reaches that handler.
// X3: without an event request for exceptions, the handler is not searched.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::exceptions {

// The hooks of vm/link/debugger.h.
void pending(JavaThread* thread) MAY_SAFEPOINT;
void caught(JavaThread* thread) MAY_SAFEPOINT;

// Forgets all reported exceptions. Called when the debugger has disconnected.
void forget_all();

}  // namespace keyhole::jdwp::exceptions
