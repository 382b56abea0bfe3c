// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's own locks: a mutex with a rank, a scope that holds it, a condition to wait for.
//
//   Mutex list_mutex{LockRank::thread_list};
//   JavaThread* first_thread GUARDED_BY(list_mutex) = nullptr;
//
//   MutexLock guard(list_mutex);                      first_thread may be touched until `guard` ends
//   while (!ready) changed.wait(list_mutex);          a loop instead of a predicate: the compiler checks the reads
//                                                     of a loop
//
// The compiler checks that guarded fields are touched with their lock held (capabilities.h); debug builds check the
// order (held_locks.h). In release builds a Mutex is a std::mutex. It is constant-initialised and its destructor does
// nothing, so threads that outlive static destructors can use it.
//
// A thread that waits for a Mutex does not poll. So no owner reaches a safepoint, and a thread waits inside of a
// BlockedScope for a Mutex that may be held for long.
//
// Protocols that exist in several worlds (runtime/base/platform/world.h) take World::Mutex instead, whose order the
// model checker explores.
#pragma once

#include <pthread.h>
#include <time.h>

#include <mutex>
#include <source_location>

#include "runtime/base/capabilities.h"
#include "runtime/base/held_locks.h"
#include "runtime/base/types.h"

namespace keyhole {

class CAPABILITY("mutex") Mutex {
 public:
  using Where = std::source_location;

#if KEYHOLE_DEBUG
  explicit constexpr Mutex(LockRank rank) : rank_(rank) {}
  LockRank rank() const { return rank_; }
#else
  explicit constexpr Mutex(LockRank) {}
  LockRank rank() const { return {}; }
#endif
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock(const Where& where = Where::current()) ACQUIRE() {
    held_locks::check_order(rank(), where);
    mutex_.lock();
    held_locks::add(this, rank(), where);
  }
  bool try_lock(const Where& where = Where::current()) TRY_ACQUIRE(true) {
    bool taken = mutex_.try_lock();
    if (taken) held_locks::add(this, rank(), where);
    return taken;
  }
  void unlock() RELEASE() {
    held_locks::remove(this);
    mutex_.unlock();
  }
  // Declares to the compiler that the lock is held, for code whose callers it does not see. Debug builds check it.
  void assert_held() const ASSERT_CAPABILITY(this) { held_locks::check_held(this, rank()); }

 private:
  friend class ConditionVariable;

  std::mutex mutex_;
#if KEYHOLE_DEBUG
  LockRank rank_;
#endif
};

// Holds a mutex while it lives, or until unlock(). No safepoint is reached meanwhile.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex, const Mutex::Where& where = Mutex::Where::current()) ACQUIRE(mutex, NO_SAFEPOINT)
      : mutex_(&mutex) {
    mutex.lock(where);
  }
  ~MutexLock() RELEASE() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() {
    mutex_->unlock();
    mutex_ = nullptr;
  }

 private:
  Mutex* mutex_;
};

// A scope for a second mutex in the same function.
class SCOPED_CAPABILITY NestedMutexLock {
 public:
  explicit NestedMutexLock(Mutex& mutex, const Mutex::Where& where = Mutex::Where::current()) ACQUIRE(mutex)
      : mutex_(mutex) {
    mutex.lock(where);
  }
  ~NestedMutexLock() RELEASE() { mutex_.unlock(); }
  NestedMutexLock(const NestedMutexLock&) = delete;
  NestedMutexLock& operator=(const NestedMutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition to wait for. Its destructor has no effect, as threads may wait while the process ends.
class ConditionVariable {
 public:
  constexpr ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  // Sleeps, and releases the mutex meanwhile. Returns when notified, or spuriously.
  void wait(Mutex& mutex, const Mutex::Where& where = Mutex::Where::current()) REQUIRES(mutex) {
    begin(mutex, where);
    pthread_cond_wait(&condition_, mutex.mutex_.native_handle());
    held_locks::add(&mutex, mutex.rank(), where);
  }
  // As wait, but sleeps at most until CLOCK_MONOTONIC shows `nanoseconds`. False: that moment has passed.
  bool wait_until(Mutex& mutex, i64 nanoseconds, const Mutex::Where& where = Mutex::Where::current()) REQUIRES(mutex) {
    begin(mutex, where);
    timespec deadline{.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000),
                      .tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000)};
    int error = pthread_cond_clockwait(&condition_, mutex.mutex_.native_handle(), CLOCK_MONOTONIC, &deadline);
    held_locks::add(&mutex, mutex.rank(), where);
    return error == 0;
  }
  void notify_one() { pthread_cond_signal(&condition_); }
  void notify_all() { pthread_cond_broadcast(&condition_); }

 private:
  static void begin(const Mutex& mutex, const Mutex::Where& where) {
    held_locks::check_only(&mutex, where);
    held_locks::remove(&mutex);
  }

  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

}  // namespace keyhole
