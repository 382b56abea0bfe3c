// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the HashChains family beyond the contract: colliding objects, each inner lock and key, objects that move while
// they are locked, the table that grows, the contract of the fast paths, the order of hand-overs, the output of dumps.
#include "runtime/sync/algorithms/hashchains.h"

#include <cstring>
#include <set>

#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

class HashChainsTest : public SyncTest {
 protected:
  void TearDown() override {
    SyncTest::TearDown();
    flags::HashChainsBuckets = 4096;
    flags::HashChainsKey = "address";
    flags::HashChainsInnerLock = "hemlock";
  }

  void choose_with(std::string_view algorithm, i64 buckets, std::string_view key = "address",
                   std::string_view lock = "hemlock") {
    flags::HashChainsBuckets = buckets;
    flags::HashChainsKey = key;
    flags::HashChainsInnerLock = lock;
    // Detaches and attaches the thread, because the thread's free queue elements belong to the previous algorithm.
    scope.reset();
    threads::detach(self);
    choose(algorithm);
    self = threads::attach_current(false, false, 0);
    scope = std::make_unique<HandleScope>(self);
  }

  u64 counted(LockCounter counter) const { return self->lock_counters.get(counter); }

  // Threads lock a few objects, wait on them with and without a time limit, notify, and ask for hashes. Each object
  // guards a counter.
  void churn(int thread_count, int object_count, int turns, bool moving) {
    struct Guarded {
      Handle object;
      u64 value = 0;
    };
    std::vector<Guarded> guarded(object_count);
    for (Guarded& g : guarded) g.object = make();
    for (int i = 0; i < thread_count; ++i) {
      spawn([&, i](JavaThread* thread) {
        for (int k = 0; k < turns; ++k) {
          Guarded& g = guarded[(i + k) % object_count];
          lock(thread, g.object);
          u64 before = g.value;
          if (k % 7 == 0) {
            lock(thread, g.object);
            sync::notify_all(thread, g.object);
            sync::wait(thread, g.object, 1);
            EXPECT_TRUE(sync::holds_lock(thread, g.object.get()));
            before = g.value;
            unlock(thread, g.object);
          }
          if (k % 5 == 0) EXPECT_NE(sync::identity_hash(thread, g.object), 0);
          g.value = before + 1;
          sync::notify(thread, g.object);
          EXPECT_EQ(unlock(thread, g.object), Status::Done);
          safepoint::poll(thread);
        }
      });
    }
    while (moving && running != 0) {
      move_all();
      pause(self);
    }
    join_all();
    u64 sum = 0;
    for (Guarded& g : guarded) sum += g.value;
    EXPECT_EQ(sum, static_cast<u64>(thread_count) * static_cast<u64>(turns));
  }
};

constexpr std::string_view family[] = {"hashchains", "hashchains-fp", "hashchains+3"};

TEST_F(HashChainsTest, ObjectsThatShareABucketDoNotMeet) {
  for (std::string_view algorithm : family) {
    for (std::string_view key : {"address", "identity"}) {
      for (std::string_view lock : {"hemlock", "mcs", "mutex"}) {
        choose_with(algorithm, 1, key, lock);
        churn(4, 3, 300, false);
      }
    }
  }
}

TEST_F(HashChainsTest, ObjectsMoveWhileTheyAreLocked) {
  for (std::string_view algorithm : family) {
    for (i64 buckets : {1, 3, 4096}) {
      for (std::string_view key : {"address", "identity"}) {
        choose_with(algorithm, buckets, key);
        churn(4, 3, 300, true);
      }
    }
  }
}

// While threads wait and no thread holds the lock, a waiter's record represents the object on the hash chain. Look-ups
// must find the object while threads begin and end their waits.
TEST_F(HashChainsTest, TheWaiterThatStandsForItsObjectMayLeaveFirst) {
  for (std::string_view algorithm : family) {
    choose_with(algorithm, 1);
    Handle object = make();
    std::atomic<int> waiting{0}, left{0};
    std::atomic<JavaThread*> threads_waiting[3] = {nullptr, nullptr, nullptr};
    for (auto& slot : threads_waiting) {
      spawn([&](JavaThread* thread) {
        lock(thread, object);
        slot = thread;
        ++waiting;
        Status status = sync::wait(thread, object, 0);
        EXPECT_EQ(status, &slot == &threads_waiting[0] ? Status::Interrupted : Status::Done);
        ++left;
        unlock(thread, object);
      });
      until(self, [&] { return slot.load() != nullptr; });
    }
    lock(self, object);
    unlock(self, object);
    move_all();
    threads::interrupt(threads_waiting[0]);
    until(self, [&] { return left == 1; });
    move_all();
    lock(self, object);
    sync::notify(self, object);
    unlock(self, object);
    until(self, [&] { return left == 2; });
    lock(self, object);
    sync::notify_all(self, object);
    unlock(self, object);
    join_all();
    EXPECT_EQ(left, 3);
  }
}

TEST_F(HashChainsTest, QueuedThreadsAreServedInOrder) {
  for (std::string_view algorithm : family) {
    choose_with(algorithm, 4096);
    Handle object = make();
    std::vector<int> order;  // guarded by the lock
    lock(self, object);
    for (int i = 0; i < 5; ++i) {
      std::atomic<JavaThread*> thread_i{nullptr};
      spawn([&, i](JavaThread* thread) {
        thread_i = thread;
        lock(thread, object);
        order.push_back(i);
        unlock(thread, object);
      });
      until(self, [&] { return is_blocked(thread_i); });
    }
    u64 before = counted(LockCounter::hand_overs);
    unlock(self, object);
    EXPECT_EQ(counted(LockCounter::hand_overs), before + 1);
    lock(self, object);  // queues after all of them
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
    unlock(self, object);
    join_all();
  }
}

TEST_F(HashChainsTest, HashChainsNeverWritesTheHeader) {
  for (std::string_view algorithm : {"hashchains", "hashchains-fp"}) {
    choose_with(algorithm, 4096);
    Handle object = make();
    u64 before = object->header_word();
    lock(self, object);
    EXPECT_EQ(object->header_word(), before);
    std::atomic<JavaThread*> contender{nullptr};
    spawn([&](JavaThread* thread) {
      contender = thread;
      lock(thread, object);
      unlock(thread, object);
    });
    until(self, [&] { return is_blocked(contender); });
    EXPECT_EQ(sync::wait(self, object, 1), Status::Done);
    EXPECT_EQ(object->header_word(), before);
    unlock(self, object);
    join_all();
    EXPECT_EQ(object->header_word(), before);
  }
}

TEST_F(HashChainsTest, TwoInnerLocksForEachPairOnlyWithoutAFastPath) {
  struct {
    std::string_view algorithm;
    u64 locks, elements;
  } expected[] = {{"hashchains", 2, 1}, {"hashchains-fp", 0, 1}, {"hashchains+3", 0, 0}};
  for (auto& row : expected) {
    choose_with(row.algorithm, 4096);
    Handle object = make();
    for (int moved = 0; moved < 2; ++moved) {
      u64 before = counted(LockCounter::bucket_locks);
      lock(self, object);
      EXPECT_EQ(sync::in_use(), row.elements);
      lock(self, object);
      if (moved == 1) move_all();
      unlock(self, object);
      unlock(self, object);
      EXPECT_EQ(counted(LockCounter::bucket_locks) - before, row.locks) << row.algorithm;
      EXPECT_EQ(sync::in_use(), 0u);
    }
  }
}

TEST_F(HashChainsTest, ABucketDevolvesForASecondObjectUntilItIsEmpty) {
  choose_with("hashchains-fp", 1);
  Handle a = make(), b = make();
  u64 before = counted(LockCounter::bucket_locks);
  lock(self, a);
  EXPECT_EQ(counted(LockCounter::bucket_locks), before);
  lock(self, b);
  unlock(self, b);
  unlock(self, a);
  EXPECT_EQ(counted(LockCounter::bucket_locks), before + 3);
  lock(self, a);
  unlock(self, a);
  EXPECT_EQ(counted(LockCounter::bucket_locks), before + 3);
  // A bucket with two records is devolved: accesses to its chain take the bucket's lock. A collection that finds only
  // one record in the bucket ends this state.
  lock(self, a);
  lock(self, b);
  unlock(self, b);
  u64 devolved = counted(LockCounter::bucket_locks);
  move_all();
  unlock(self, a);
  EXPECT_EQ(counted(LockCounter::bucket_locks), devolved);
}

TEST_F(HashChainsTest, WaitersExistWhileSomebodyQueuesAndNoLonger) {
  choose_with("hashchains+3", 4096);
  Handle object = make();
  auto bits = [&] { return object->header_word() & (layout::held_bit | layout::waiters_bit); };
  lock(self, object);
  EXPECT_EQ(bits(), layout::held_bit);
  i32 hash = sync::identity_hash(self, object);
  std::atomic<bool> leave{false};
  std::atomic<int> inside{0};
  std::atomic<JavaThread*> contenders[2] = {nullptr, nullptr};
  for (auto& slot : contenders) {
    spawn([&](JavaThread* thread) {
      slot = thread;
      lock(thread, object);
      ++inside;
      until(thread, [&] { return leave.exchange(false); });
      unlock(thread, object);
    });
    until(self, [&] { return is_blocked(slot); });
  }
  EXPECT_EQ(bits(), layout::held_bit | layout::waiters_bit);
  unlock(self, object);
  EXPECT_EQ(bits(), layout::held_bit | layout::waiters_bit);  // a new owner, and one thread that queues
  until(self, [&] { return inside == 1; });
  leave = true;
  until(self, [&] { return inside == 2; });
  EXPECT_EQ(bits(), layout::held_bit);
  leave = true;
  join_all();
  EXPECT_EQ(bits(), 0u);
  EXPECT_EQ(sync::identity_hash(self, object), hash);
}

TEST_F(HashChainsTest, TheTableGrowsWhenACollectionFindsItFull) {
  for (std::string_view key : {"address", "identity"}) {
    for (std::string_view algorithm : {"hashchains", "hashchains-fp"}) {
      choose_with(algorithm, 4, key);
      std::vector<Handle> objects;
      for (int i = 0; i < 200; ++i) objects.push_back(make());
      for (Handle object : objects) lock(self, object);
      auto steps_for_one = [&] {
        u64 before = counted(LockCounter::chain_steps);
        for (int i = 0; i < 20; ++i) {
          Handle other = make();
          lock(self, other);
          unlock(self, other);
        }
        return counted(LockCounter::chain_steps) - before;
      };
      u64 crowded = steps_for_one();
      move_all();
      u64 spread = steps_for_one();
      EXPECT_GT(crowded, 20 * 10u);
      EXPECT_LT(spread, crowded / 10);
      for (Handle object : objects) EXPECT_TRUE(sync::holds_lock(self, object.get()));
      for (Handle object : objects) EXPECT_EQ(unlock(self, object), Status::Done);
    }
  }
}

// When a thread ends, queue elements that it has lent return to the algorithm, and the next thread reuses them.
TEST_F(HashChainsTest, ElementsOutliveTheirThreads) {
  choose_with("hashchains", 4096);
  std::set<void*> seen;
  for (int i = 0; i < 50; ++i) {
    spawn([&](JavaThread* thread) {
      HandleScope own(thread);
      Handle object = own.make(new_object());
      lock(thread, object);
      seen.insert(thread->held_elements);
      unlock(thread, object);
    });
    join_all();
  }
  EXPECT_LT(seen.size(), 5u);
}

TEST_F(HashChainsTest, WrongFlagsAreRefusedInOneSentence) {
  flags::LockingMode = "hashchains";
  flags::HashChainsKey = "name";
  EXPECT_EQ(sync::initialize(), "HashChainsKey=name is neither address nor identity.");
  flags::HashChainsKey = "address";
  flags::HashChainsInnerLock = "ticket";
  EXPECT_EQ(sync::initialize(), "HashChainsInnerLock=ticket is not one of hemlock, mcs, mutex.");
  flags::HashChainsInnerLock = "mcs";
  EXPECT_EQ(sync::initialize(), "");
  choose("lightweight");
}

}  // namespace
}  // namespace keyhole::test
