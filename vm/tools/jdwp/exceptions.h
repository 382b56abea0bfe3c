// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exceptions of Java code for the debugger: one event for each throw, with the handler that will get it.
//
//   throw ----> pending ---- frame after frame, out of compiled code, through C++ ----> caught
//               reported once                       the same exception: skipped         forgotten
//
// X1: an exception is reported where unwinding meets it first, before a frame is left. `reported` has it until Java
//     code catches it; thrown again by a handler, it is reported again.
// X2: the handler is searched as unwinding will do it later, which may load the classes that handlers name. What this
//     throws is dropped, and is thrown again when unwinding arrives there.
// X3: without a request for exceptions nothing is searched.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::exceptions {

// Hooks of vm/link/debugger.h.
void pending(JavaThread* thread) MAY_SAFEPOINT;
void caught(JavaThread* thread) MAY_SAFEPOINT;

// The debugger has disconnected.
void forget_all();

}  // namespace keyhole::jdwp::exceptions
