// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the thread that stopped the world may do without a lock.
//
// No thread stops while it holds a lock of the VM, so with the world stopped nobody holds one but the thread whose
// operation runs.
#pragma once

#include "runtime/base/check.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/safepoint.h"

namespace keyhole::safepoint {

// World stopped: what `mutex` guards may be touched. Said to the compiler, and checked in debug builds.
inline void assert_holds([[maybe_unused]] const Mutex& mutex) ASSERT_CAPABILITY(mutex) {
  KEYHOLE_ASSERT(in_progress(), "the world is not stopped");
}

// The same of everything that is WORLD_STOPPED: where an operation begins.
inline void assert_world_stopped() ASSERT_CAPABILITY(MUTATOR) {
  KEYHOLE_ASSERT(in_progress(), "the world is not stopped");
}

}  // namespace keyhole::safepoint
