// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The signal dispatcher: an OS thread that sleeps until a signal was caught.
//
//   SIGQUIT                 thread dump on stdout
//   any other               jdk.internal.misc.Signal.dispatch(number): for SIGHUP, SIGINT and SIGTERM java.lang.Terminator has a handler
//                           that runs the shutdown hooks and exits with 128 + number
//
// It becomes the Java thread "Signal Dispatcher" at the first signal; most programs never get one and pay for a sleeping OS
// thread only.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

void start_signal_dispatcher(JavaThread* thread);

}  // namespace keyhole
