// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.misc.Signal, and the path of a signal from its handler to the dispatcher thread.
//
//   OS signal -> handler: pending[number]++, post the semaphore (nothing else is safe there)
//             -> dispatcher thread (vm/launcher/signals.cpp): takes one pending number, acts on it in ordinary code
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

i32 Signal_findSignal0(JavaThread*, Handle name) TOUCHES_OBJECTS;
i64 Signal_handle0(JavaThread*, i32 number, i64 handler);
void Signal_raise0(JavaThread*, i32 number);

// -Xrs: signals that end or dump the process keep their default effect, and the library cannot handle them. Set at the
// start.
extern bool reduces_signal_usage;
// Directs the signal to the dispatcher.
void catch_signal(i32 number);
// Sleeps until a caught signal is pending and takes it. No Java state is touched.
i32 wait_for_signal();

}  // namespace keyhole::natives
