// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The signal dispatcher: a thread that sleeps until a signal was caught.
//
//   SIGQUIT                 a tool that wants to attach (attach/listener.h); otherwise a thread dump on stdout
//   any other               jdk.internal.misc.Signal.dispatch(number): for SIGHUP, SIGINT and SIGTERM
//                           java.lang.Terminator has a handler that runs the shutdown hooks and exits with 128 + number
//
// It is the Java thread "Signal Dispatcher" of thread dumps, and starts as soon as java.base can make a thread.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// False: an exception is pending.
[[nodiscard]] bool start_signal_dispatcher(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
