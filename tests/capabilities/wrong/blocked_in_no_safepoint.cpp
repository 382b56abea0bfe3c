// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A state transition in a NoSafepoint scope: the transition back may stop at a safepoint.
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

void sleeps(JavaThread* thread) MAY_SAFEPOINT {
  NoSafepoint no_safepoint;
  BlockedScope blocked(thread);  // error: cannot call function 'BlockedScope' while the scope 'NO_SAFEPOINT' is held
}

}  // namespace keyhole
