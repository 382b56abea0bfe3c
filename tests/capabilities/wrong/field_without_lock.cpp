// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A guarded field is read, and written, without its lock.
#include "runtime/base/mutex.h"

namespace keyhole {

class Counter {
 public:
  int read() const {
    return value_;  // error: reading variable 'value_' requires holding mutex 'mutex_'
  }
  void write() {
    value_ = 1;  // error: writing variable 'value_' requires holding mutex 'mutex_' exclusively
  }

 private:
  Mutex mutex_{LockRank::heap};
  int value_ GUARDED_BY(mutex_) = 0;
};

int use() {
  Counter counter;
  counter.write();
  return counter.read();
}

}  // namespace keyhole
