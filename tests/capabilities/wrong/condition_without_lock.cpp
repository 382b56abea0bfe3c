// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread waits for a condition without holding its mutex.
#include "runtime/base/mutex.h"

namespace keyhole {

Mutex mutex{LockRank::heap};
ConditionVariable arrived;

void wait() {
  arrived.wait(mutex);  // error: calling function 'wait' requires holding mutex 'mutex' exclusively
}

}  // namespace keyhole
