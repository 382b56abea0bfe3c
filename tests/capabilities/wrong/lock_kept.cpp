// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A function returns on one path with its lock held, and a lock is taken twice.
#include "runtime/base/mutex.h"

namespace keyhole {

Mutex mutex{LockRank::heap};

bool forgets(bool early) {
  mutex.lock();
  if (early) return false;
  mutex.unlock();
  return true;
}  // error: mutex 'mutex' is not held on every path through here

void takes_twice() {
  MutexLock guard(mutex);
  mutex.lock();  // error: acquiring mutex 'mutex' that is already held
}

}  // namespace keyhole
