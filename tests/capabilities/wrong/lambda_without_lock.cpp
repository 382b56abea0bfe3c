// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A lambda is a function of its own, and must declare that its caller holds the lock.
#include "runtime/base/mutex.h"

namespace keyhole {

Mutex mutex{LockRank::heap};
int value GUARDED_BY(mutex) = 0;

template <typename Change> void change_locked(Change change) {
  MutexLock guard(mutex);
  change();
}

void add() {
  change_locked([] {
    ++value;  // error: writing variable 'value' requires holding mutex 'mutex' exclusively
  });
}

}  // namespace keyhole
