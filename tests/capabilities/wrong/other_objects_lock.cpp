// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The function writes a field of one object, but holds the lock of another object of the same class.
#include "runtime/base/mutex.h"

namespace keyhole {

struct Account {
  Mutex mutex{LockRank::heap};
  int balance GUARDED_BY(mutex) = 0;
};

void transfer(Account& from, Account& to) {
  MutexLock guard(from.mutex);
  from.balance -= 1;
  to.balance += 1;  // error: writing variable 'balance' requires holding mutex 'to.mutex' exclusively
}

}  // namespace keyhole
