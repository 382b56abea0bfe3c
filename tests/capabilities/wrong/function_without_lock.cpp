// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A function that requires a lock is called without it.
#include "runtime/base/mutex.h"

namespace keyhole {

Mutex table_mutex{LockRank::heap};
int& table() REQUIRES(table_mutex);

int look_up() {
  return table();  // error: calling function 'table' requires holding mutex 'table_mutex' exclusively
}

}  // namespace keyhole
