// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Correct uses of locks, which must compile: guarded fields, functions that require a lock, a condition, a lambda, a
// scope that ends early, an assertion.
#include "runtime/base/mutex.h"

namespace keyhole {

class Mailbox {
 public:
  void put(int letter) {
    MutexLock guard(mutex_);
    add(letter);
    arrived_.notify_one();
  }
  int take() {
    MutexLock guard(mutex_);
    while (count_ == 0) arrived_.wait(mutex_);
    return letters_[--count_];
  }
  int count() {
    if (!mutex_.try_lock()) return 0;
    int result = count_;
    mutex_.unlock();
    return result;
  }
  template <typename Look> void look(Look look) {
    MutexLock guard(mutex_);
    look();
    guard.unlock();
  }
  int sum() {
    int result = 0;
    look([&]() REQUIRES(mutex_) {
      for (int i = 0; i < count_; ++i) result += letters_[i];
    });
    return result;
  }
  // This function is called through a pointer, so the compiler cannot check its callers; it asserts the lock.
  int first() {
    mutex_.assert_held();
    return letters_[0];
  }

 private:
  void add(int letter) REQUIRES(mutex_) { letters_[count_++] = letter; }

  Mutex mutex_{LockRank::heap};
  ConditionVariable arrived_;
  int letters_[8] GUARDED_BY(mutex_) = {};
  int count_ GUARDED_BY(mutex_) = 0;
};

int use() {
  Mailbox box;
  box.put(1);
  return box.take() + box.count() + box.sum() + box.first();
}

}  // namespace keyhole
