// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exceptions of Java code for the debugger: one event for each throw, with the handler that will get it.
//
//   throw ----> pending ---- frame after frame, out of compiled code, through C++ ----> caught
//               reported once                       the same exception: skipped         forgotten
//
// X1: an exception is reported where unwinding first meets it, before any frame is popped. `reported` holds it until
//     Java code catches it. If a handler throws it again, it is reported again.
// X2: the handler is searched in advance, as unwinding will do it. That may load the classes that handlers name. An
//     exception of this search is dropped; unwinding throws it again when it comes to that handler.
// X3: if there is no request for exceptions, no handler is searched.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::exceptions {

// The hooks of vm/link/debugger.h.
void pending(JavaThread* thread) MAY_SAFEPOINT;
void caught(JavaThread* thread) MAY_SAFEPOINT;

// Called when the debugger has disconnected.
void forget_all();

}  // namespace keyhole::jdwp::exceptions
