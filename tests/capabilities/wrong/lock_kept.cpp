// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A way out of a function on which its lock stays taken, and a lock that is taken twice.
#include "runtime/base/mutex.h"

namespace keyhole {

Mutex mutex{LockRank::heap};

bool forgets(bool early) {
  mutex.lock();
  if (early) return false;
  mutex.unlock();
  return true;
}   // error: mutex 'mutex' is not held on every path through here

void takes_twice() {
  MutexLock guard(mutex);
  mutex.lock();   // error: acquiring mutex 'mutex' that is already held
}

}  // namespace keyhole
