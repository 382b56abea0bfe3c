// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handshakes: an operation runs for each thread at a moment when that thread touches no objects, while other threads
// keep running.
//
// The target runs the operation itself at its next poll, or the handshaker runs it while the target is InNative or
// Blocked. Operations must be short, take no VM lock and allocate no Java objects.
//
// A handshake with all threads also proves quiescence: an address that was unpublished before it began is in no
// thread's registers after it ended. Monitors and thread structures are reused only then.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::handshake {

// Runs the operation for all threads. The caller is managed; it may wait (as Blocked) for another operation, so its raw
// Object* are stale afterwards.
void run_all(JavaThread* thread, const char* name, void (*operation)(JavaThread* target, void* context), void* context)
    MAY_SAFEPOINT;

}  // namespace keyhole::handshake
