// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Capabilities of the thread that stopped the world, which needs no locks.
//
// No thread stops while it holds a lock of the VM, so with the world stopped only the thread that runs the operation
// can hold one.
#pragma once

#include "runtime/base/check.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/safepoint.h"

namespace keyhole::safepoint {

// Declares to the compiler that the world is stopped, so that the caller may touch data guarded by `mutex`; debug
// builds check it.
inline void assert_holds([[maybe_unused]] const Mutex& mutex) ASSERT_CAPABILITY(mutex) {
  KEYHOLE_ASSERT(in_progress(), "the world is not stopped");
}

// Declares to the compiler that the world is stopped, so that the caller may call functions marked WORLD_STOPPED. Used
// at the beginning of an operation.
inline void assert_world_stopped() ASSERT_CAPABILITY(MUTATOR) {
  KEYHOLE_ASSERT(in_progress(), "the world is not stopped");
}

}  // namespace keyhole::safepoint
