// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A safepoint operation may touch all objects, but must not stop at a safepoint: it would wait for itself.
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

void polls(JavaThread* thread) WORLD_STOPPED {
  safepoint::poll(thread);  // error: calling function 'poll' requires holding the permission 'MAY_STOP'
}

void blocks(JavaThread* thread) WORLD_STOPPED {
  BlockedScope blocked(thread);  // error: that was not held
}  // error: acquired exclusively and shared in the same scope

}  // namespace keyhole
