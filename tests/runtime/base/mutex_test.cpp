// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the VM's mutex and its condition variable, and the reports of debug builds about locks in a wrong order.
#include "runtime/base/mutex.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/base/lock_order.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole {
namespace {

constexpr i64 millisecond = 1'000'000;

TEST(LockRanks, AnEdgeAllowsItsInnerLockAndWhatNestsInThat) {
  static_assert(lock_ranks::may_take(LockRank::debugger_events, LockRank::debugger_objects));
  static_assert(lock_ranks::may_take(LockRank::debugger_events, LockRank::log));
}

TEST(LockRanks, TheOtherWayRoundIsRefused) {
  static_assert(!lock_ranks::may_take(LockRank::debugger_objects, LockRank::debugger_events));
}

TEST(LockRanks, LeavesAreTakenInsideOfAnyLockButALeaf) {
  static_assert(lock_ranks::may_take(LockRank::heap, LockRank::log));
  static_assert(!lock_ranks::may_take(LockRank::log, LockRank::heap));
  static_assert(!lock_ranks::may_take(LockRank::users, LockRank::log));
}

TEST(LockRanks, TwoLocksOfOneKindAreNeverHeld) {
  for (u32 i = 0; i < lock_ranks::count; ++i) {
    LockRank rank = static_cast<LockRank>(i);
    EXPECT_FALSE(lock_ranks::may_take(rank, rank));
  }
}

TEST(Mutex, Excludes) {
  Mutex mutex{LockRank::heap};
  int value = 0;
  auto add = [&] {
    for (int i = 0; i < 10'000; ++i) {
      MutexLock guard(mutex);
      ++value;
    }
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  EXPECT_EQ(value, 20'000);
}

// The thread-safety analysis skips this function, because `guard` is alive after it has unlocked the mutex, and because
// the function returns with the mutex held.
void lock_again_in_scope(Mutex& mutex) NO_THREAD_SAFETY_ANALYSIS {
  MutexLock guard(mutex);
  guard.unlock();
  mutex.lock();
}

TEST(Mutex, AScopeThatUnlockedEarlyDoesNotUnlockAgain) {
  Mutex mutex{LockRank::heap};
  lock_again_in_scope(mutex);
  mutex.assert_held();
  std::thread([&] {
    bool taken = mutex.try_lock();
    if (taken) mutex.unlock();
    EXPECT_FALSE(taken);
  }).join();
  mutex.unlock();
}

struct Mailbox {
  Mutex mutex{LockRank::heap};
  ConditionVariable arrived;
  int letters GUARDED_BY(mutex) = 0;
};

TEST(ConditionVariable, WaitsUntilNotified) {
  Mailbox box;
  std::thread sender([&] {
    MutexLock guard(box.mutex);
    box.letters = 1;
    box.arrived.notify_all();
  });
  {
    MutexLock guard(box.mutex);
    while (box.letters == 0) box.arrived.wait(box.mutex);
    EXPECT_EQ(box.letters, 1);
  }
  sender.join();
}

TEST(ConditionVariable, WaitsUntilADeadline) {
  Mailbox box;
  i64 deadline = hardware::now_nanoseconds() + 5 * millisecond;
  MutexLock guard(box.mutex);
  while (box.arrived.wait_until(box.mutex, deadline)) {
  }
  EXPECT_GE(hardware::now_nanoseconds(), deadline);
}

#if KEYHOLE_DEBUG
TEST(HeldLocksDeathTest, AnInversionNamesBothLocksAndPlaces) {
  Mutex outer{LockRank::debugger_events}, inner{LockRank::debugger_objects};
  auto invert = [&] {
    MutexLock first(inner);
    NestedMutexLock second(outer);
  };
  EXPECT_DEATH(invert(),
               "debugger_events is taken at .*mutex_test.cpp(.|\n)*"
               "while debugger_objects is held, taken at .*mutex_test.cpp");
}

TEST(HeldLocksDeathTest, TwoLeavesAreRefused) {
  Mutex first{LockRank::users}, second{LockRank::log};
  auto nest = [&] {
    MutexLock outer(first);
    NestedMutexLock inner(second);
  };
  EXPECT_DEATH(nest(), "log is taken at .*\n.*while users is held");
}

TEST(HeldLocksDeathTest, TryLockWaitsForNobodyAndMayBeInAnyOrder) {
  Mutex outer{LockRank::debugger_events}, inner{LockRank::debugger_objects};
  MutexLock first(inner);
  bool taken = outer.try_lock();
  EXPECT_TRUE(taken);
  if (taken) outer.unlock();
}

TEST(HeldLocksDeathTest, AConditionIsNotWaitedForUnderAnotherLock) {
  Mutex outer{LockRank::debugger_events};
  Mailbox box;
  auto wait = [&] {
    MutexLock first(outer);
    NestedMutexLock second(box.mutex);
    box.arrived.wait(box.mutex);
  };
  EXPECT_DEATH(wait(), "debugger_events is held");
}

TEST(HeldLocksDeathTest, AssertHeldLooksAtTheThread) {
  Mutex mutex{LockRank::heap};
  {
    MutexLock guard(mutex);
    mutex.assert_held();
  }
  EXPECT_DEATH(mutex.assert_held(), "heap is not held");
}

TEST(HeldLocksDeathTest, NothingIsHeldWhereTheThreadMayStop) {
  Mutex mutex{LockRank::heap};
  held_locks::check_none("a safepoint may be reached");
  MutexLock guard(mutex);
  EXPECT_DEATH(held_locks::check_none("a safepoint may be reached"), "while heap is held, taken at .*mutex_test.cpp");
}
#endif

}  // namespace
}  // namespace keyhole
