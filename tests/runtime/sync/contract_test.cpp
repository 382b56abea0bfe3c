// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of `synchronized` for every locking algorithm: exclusion, re-entry, wait and notify, timeouts,
// interruption, IllegalMonitorState, identity hash, objects that move.
#include <unistd.h>

#include "runtime/threads/asynchronous.h"
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

// The test's parameter is an algorithm and flags, as choose_with_flags takes them.
class ContractTest : public SyncTest, public testing::WithParamInterface<std::string_view> {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    choose_with_flags(GetParam());
    std::string_view name = GetParam().substr(0, GetParam().find(' '));
    for (const sync::Algorithm* algorithm : sync::all_algorithms()) {
      if (algorithm->name == name) properties = algorithm->properties;
    }
  }
  void TearDown() override {
    SyncTest::TearDown();
    flags::Succession = before.succession;
    flags::SuccessorVariant = before.variant;
    flags::RestrictConcurrency = before.restrict;
    flags::MonitorTurns = before.quantum;
    flags::LockTurnMicros = before.quantum_micros;
    flags::SpinPauses = before.spins;
    flags::ImpatienceMicros = before.patience_micros;
    flags::RecursiveLightweightLocking = before.recursive;
    flags::LockStackCapacity = before.capacity;
    flags::CjmHybridInnerLock = before.inner_lock;
    flags::HashChainsBuckets = before.buckets;
    flags::SetAsideMicros = before.culled_patience;
  }

  sync::AlgorithmProperties properties;

 private:
  struct {
    std::string succession = flags::Succession, variant = flags::SuccessorVariant,
                inner_lock = flags::CjmHybridInnerLock;
    bool quantum = flags::MonitorTurns, restrict = flags::RestrictConcurrency,
         recursive = flags::RecursiveLightweightLocking;
    i64 spins = flags::SpinPauses, patience_micros = flags::ImpatienceMicros, capacity = flags::LockStackCapacity,
        buckets = flags::HashChainsBuckets, quantum_micros = flags::LockTurnMicros,
        culled_patience = flags::SetAsideMicros;
  } before;
};

TEST_P(ContractTest, EnterAndExitLeaveNoTrace) {
  Handle object = make();
  layout::Word before = object->header_word();
  for (bool first : {true, false}) {
    lock(self, object);
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    EXPECT_EQ(sync::owner(object.get()), self);
    EXPECT_EQ(object->klass_id(), test_klass_id());
    EXPECT_EQ(unlock(self, object), Status::Done);
    EXPECT_FALSE(sync::holds_lock(self, object.get()));
    EXPECT_EQ(sync::owner(object.get()), nullptr);
    if (properties.idle_bytes != 0) {  // the object keeps its lock memory until a deflation pass runs
      EXPECT_EQ(sync::in_use(), 1u);
      sync::deflation::run_pass(self);
    }
    u32 hash = layout::hash_at(object.get(), object->header_word());
    if (first && hash != 0)
      before = layout::hashed(before, hash);  // some algorithms give an object its hash when it is locked
    EXPECT_EQ(object->header_word(), before);
  }
}

TEST_P(ContractTest, ReentryKeepsOwnerUntilTheLastExit) {
  Handle object = make();
  for (int depth = 0; depth < 50; ++depth) lock(self, object);
  for (int depth = 0; depth < 50; ++depth) {
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    EXPECT_EQ(unlock(self, object), Status::Done);
  }
  EXPECT_FALSE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(unlock(self, object), Status::NotOwner);
}

TEST_P(ContractTest, InterleavedReentry) {
  Handle a = make(), b = make();
  lock(self, a);
  lock(self, b);
  lock(self, a);
  lock(self, b);
  EXPECT_EQ(unlock(self, b), Status::Done);
  EXPECT_EQ(unlock(self, a), Status::Done);
  EXPECT_TRUE(sync::holds_lock(self, a.get()));
  EXPECT_TRUE(sync::holds_lock(self, b.get()));
  EXPECT_EQ(unlock(self, b), Status::Done);
  EXPECT_EQ(unlock(self, a), Status::Done);
  EXPECT_FALSE(sync::holds_lock(self, a.get()));
  EXPECT_FALSE(sync::holds_lock(self, b.get()));
}

TEST_P(ContractTest, ExitInAnyOrder) {
  // Releases three objects in all orders. The first of them is held twice.
  std::vector<int> order{0, 0, 1, 2};
  do {
    Handle objects[] = {make(), make(), make()};
    lock(self, objects[0]);
    lock(self, objects[0]);
    lock(self, objects[1]);
    lock(self, objects[2]);
    int held[] = {2, 1, 1};
    for (int i : order) {
      EXPECT_EQ(unlock(self, objects[i]), Status::Done);
      --held[i];
      for (int k = 0; k < 3; ++k) EXPECT_EQ(sync::holds_lock(self, objects[k].get()), held[k] > 0);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_P(ContractTest, ManyLocksAtOnce) {
  std::vector<Handle> objects;
  for (int i = 0; i < 40; ++i) objects.push_back(make());
  for (Handle object : objects) lock(self, object);
  for (Handle object : objects) EXPECT_TRUE(sync::holds_lock(self, object.get()));
  for (int i = 39; i >= 0; --i) EXPECT_EQ(unlock(self, objects[i]), Status::Done);
  for (Handle object : objects) EXPECT_FALSE(sync::holds_lock(self, object.get()));
}

TEST_P(ContractTest, NotOwnerIsTold) {
  Handle object = make();
  auto expect_refusals = [&](JavaThread* thread) {
    EXPECT_EQ(refused_exit(thread, object), Status::NotOwner);
    EXPECT_EQ(sync::wait(thread, object, 1), Status::NotOwner);
    EXPECT_EQ(sync::notify(thread, object), Status::NotOwner);
    EXPECT_EQ(sync::notify_all(thread, object), Status::NotOwner);
  };
  u64 before = object->header_word();
  expect_refusals(self);
  EXPECT_EQ(object->header_word(), before);  // a refused operation does not change the header
  for (int used = 0; used < 2; ++used) {
    if (used) use_once(object);
    lock(self, object);
    spawn([&](JavaThread* thread) { expect_refusals(thread); });
    until(self, [&] { return running == 0; });
    EXPECT_EQ(unlock(self, object), Status::Done);
    expect_refusals(self);
  }
}

TEST_P(ContractTest, ContendedCounterIsExact) {
  Handle object = make();
  u64 counter = 0;  // plain: guarded by the lock
  constexpr int threads = 4, turns = 20000;
  for (int i = 0; i < threads; ++i) {
    spawn([&](JavaThread* thread) {
      for (int k = 0; k < turns; ++k) {
        lock(thread, object);
        ++counter;
        EXPECT_EQ(unlock(thread, object), Status::Done);
        if (k % 64 == 0) safepoint::poll(thread);
      }
    });
  }
  join_all();
  EXPECT_EQ(counter, u64{threads} * turns);
}

TEST_P(ContractTest, ContendedReentryIsExact) {
  Handle object = make();
  u64 counter = 0;
  for (int i = 0; i < 4; ++i) {
    spawn([&, i](JavaThread* thread) {
      for (int k = 0; k < 5000; ++k) {
        int depth = 1 + (k + i) % 5;
        for (int d = 0; d < depth; ++d) lock(thread, object);
        ++counter;
        for (int d = 0; d < depth; ++d) EXPECT_EQ(unlock(thread, object), Status::Done);
      }
    });
  }
  join_all();
  EXPECT_EQ(counter, 20000u);
}

// A contender arrives while the owner holds the lock, and may change the header. After that, every operation of the
// owner must still find that the owner holds the lock.
TEST_P(ContractTest, OwnerMeetsAContender) {
  for (int variant = 0; variant < 5; ++variant) {
    Handle object = make(), other = make();
    lock(self, object);
    if (variant >= 3) lock(self, object);
    std::atomic<bool> entered{false};
    std::atomic<JavaThread*> contender{nullptr};
    spawn([&](JavaThread* thread) {
      contender = thread;
      lock(thread, object);
      entered = true;
      unlock(thread, object);
    });
    until(self, [&] { return is_blocked(contender); });
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    // Runs at a safepoint, because sync::owner() may read the lock-stacks of all threads.
    auto look = [&] { EXPECT_EQ(sync::owner(object.get()), self); };
    safepoint::run(self, "Test", look);
    switch (variant) {
      case 1:
        lock(self, object);
        unlock(self, object);
        break;  // re-entry
      case 2: EXPECT_EQ(sync::notify(self, object), Status::Done); break;
      case 3: EXPECT_NE(sync::identity_hash(self, object), 0); break;
      case 4:
        lock(self, other);
        lock(self, object);
        unlock(self, object);
        unlock(self, other);
        break;
      default: break;
    }
    EXPECT_FALSE(entered);
    if (variant >= 3) unlock(self, object);
    EXPECT_EQ(unlock(self, object), Status::Done);
    join_all();
    EXPECT_TRUE(entered);
  }
}

TEST_P(ContractTest, WaitGivesUpAllLevelsAndHasThemBack) {
  Handle object = make();
  std::atomic<bool> waiting{false}, notified{false};
  spawn([&](JavaThread* thread) {
    for (int i = 0; i < 3; ++i) lock(thread, object);
    waiting = true;
    while (!notified) EXPECT_EQ(sync::wait(thread, object, 0), Status::Done);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(sync::holds_lock(thread, object.get()));
      EXPECT_EQ(unlock(thread, object), Status::Done);
    }
    EXPECT_FALSE(sync::holds_lock(thread, object.get()));
  });
  until(self, [&] { return waiting.load(); });
  lock(self, object);  // returns when the other thread has called wait(), which releases the lock
  notified = true;
  EXPECT_EQ(sync::notify(self, object), Status::Done);
  unlock(self, object);
  join_all();
}

TEST_P(ContractTest, WaitTimesOut) {
  Handle object = make();
  lock(self, object);
  i64 begin = hardware::now_nanoseconds();
  EXPECT_EQ(sync::wait(self, object, 20), Status::Done);
  EXPECT_GE(hardware::now_nanoseconds() - begin, 20'000'000);
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(self->status.load(), JavaThreadStatus::Runnable);
  unlock(self, object);
}

TEST_P(ContractTest, NotifyWakesOneNotifyAllWakesAll) {
  Handle object = make();
  std::atomic<int> waiting{0}, awake{0};
  int tokens = 0;  // guarded by the lock
  for (int i = 0; i < 4; ++i) {
    spawn([&](JavaThread* thread) {
      lock(thread, object);
      ++waiting;
      while (tokens == 0) EXPECT_EQ(sync::wait(thread, object, 0), Status::Done);
      --tokens;
      ++awake;
      unlock(thread, object);
    });
  }
  auto all_waiting = [&] {
    lock(self, object);
    bool all = waiting == 4;
    unlock(self, object);
    return all;
  };
  until(self, all_waiting);
  lock(self, object);
  tokens = 1;
  sync::notify(self, object);
  unlock(self, object);
  until(self, [&] { return awake == 1; });
  for (int i = 0; i < 20; ++i) pause(self);
  EXPECT_EQ(awake, 1);
  lock(self, object);
  tokens = 3;
  sync::notify_all(self, object);
  EXPECT_EQ(awake, 1);  // no waiter continues before the notifier releases the lock
  unlock(self, object);
  join_all();
  EXPECT_EQ(awake, 4);
}

TEST_P(ContractTest, NotifiedAreWokenInOrderOfWaiting) {
  Handle object = make();
  std::atomic<int> waiting{0};
  std::vector<int> order;  // guarded by the lock
  for (int i = 0; i < 4; ++i) {
    spawn([&, i](JavaThread* thread) {
      lock(thread, object);
      ++waiting;
      sync::wait(thread, object, 0);
      order.push_back(i);
      unlock(thread, object);
    });
    until(self, [&] { return waiting == i + 1; });
  }
  for (usize i = 0; i < 4; ++i) {
    lock(self, object);
    sync::notify(self, object);
    unlock(self, object);
    until(self, [&] {
      lock(self, object);
      bool arrived = order.size() == i + 1;
      unlock(self, object);
      return arrived;
    });
  }
  join_all();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST_P(ContractTest, InterruptBeforeAndDuringWait) {
  Handle object = make();
  lock(self, object);
  threads::interrupt(self);
  EXPECT_EQ(sync::wait(self, object, 0), Status::Interrupted);
  EXPECT_FALSE(threads::is_interrupted(self, false));
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  unlock(self, object);

  std::atomic<JavaThread*> waiter{nullptr};
  std::atomic<bool> told{false};
  spawn([&](JavaThread* thread) {
    lock(thread, object);
    waiter = thread;
    EXPECT_EQ(sync::wait(thread, object, 0), Status::Interrupted);
    EXPECT_TRUE(sync::holds_lock(thread, object.get()));
    told = true;
    unlock(thread, object);
  });
  until(self,
        [&] { return waiter.load() != nullptr && waiter.load()->status.load() == JavaThreadStatus::InObjectWait; });
  threads::interrupt(waiter);
  join_all();
  EXPECT_TRUE(told);
}

// If a suspended thread is woken, or is made the owner, it releases the lock at once. It takes the lock again when it
// is resumed.
TEST_P(ContractTest, SuspendedThreadsKeepNoLockThatTheyGet) {
  enum class Wake { Notify, Time, Interrupt, Enter };
  for (Wake wake : {Wake::Notify, Wake::Time, Wake::Interrupt, Wake::Enter}) {
    Handle object = make();
    std::atomic<JavaThread*> suspended{nullptr};
    std::atomic<bool> got_it{false};
    bool interrupted = false;  // written under the lock
    if (wake == Wake::Enter) lock(self, object);
    spawn([&](JavaThread* thread) {
      suspended = thread;
      lock(thread, object);
      lock(thread, object);
      if (wake != Wake::Enter)
        interrupted = sync::wait(thread, object, wake == Wake::Time ? 50 : 0) == Status::Interrupted;
      EXPECT_TRUE(sync::holds_lock(thread, object.get()));
      got_it = true;
      EXPECT_EQ(unlock(thread, object), Status::Done);
      EXPECT_TRUE(sync::holds_lock(thread, object.get()));
      EXPECT_EQ(unlock(thread, object), Status::Done);
      EXPECT_EQ(unlock(thread, object), Status::NotOwner);
    });
    JavaThreadStatus sleeps = wake == Wake::Enter  ? JavaThreadStatus::BlockedOnMonitorEnter
                              : wake == Wake::Time ? JavaThreadStatus::InObjectWaitTimed
                                                   : JavaThreadStatus::InObjectWait;
    until(self, [&] { return suspended.load() != nullptr && (suspended.load()->status == sleeps || got_it); });
    auto suspend = [&]() WORLD_STOPPED { asynchronous::request_suspension(suspended); };
    safepoint::run(self, "Suspend", suspend);
    const bool was_late = got_it;  // whether the thread's wait timed out before the suspension
    if (wake == Wake::Notify) {
      lock(self, object);
      sync::notify(self, object);
      unlock(self, object);
    }
    if (wake == Wake::Interrupt) threads::interrupt(suspended);
    if (wake == Wake::Enter) unlock(self, object);
    for (int visit = 0; !was_late && visit < 20; ++visit) {
      lock(self, object);
      EXPECT_FALSE(got_it);
      unlock(self, object);
      BlockedScope blocked(self);
      usleep(wake == Wake::Time ? 5000 : 500);
    }
    EXPECT_EQ(got_it, was_late);
    auto resume = [&]() WORLD_STOPPED { asynchronous::request_resumption(suspended); };
    safepoint::run(self, "Resume", resume);
    join_all();
    EXPECT_TRUE(got_it);
    EXPECT_EQ(interrupted, wake == Wake::Interrupt);
  }
}

// JLS 17.2.4: a notification must not be lost on a waiter that is interrupted at the same time. If this waiter throws
// InterruptedException, another waiter must get the notification.
TEST_P(ContractTest, NotificationIsNotLostToAnInterruptedWaiter) {
  for (int round = 0; round < 100; ++round) {
    Handle object = make();
    std::atomic<JavaThread*> waiters[2] = {nullptr, nullptr};
    std::atomic<int> normal{0}, interrupted{0};
    for (auto& slot : waiters) {
      spawn([&](JavaThread* thread) {
        lock(thread, object);
        slot = thread;
        if (sync::wait(thread, object, 0) == Status::Interrupted) ++interrupted;
        else ++normal;
        unlock(thread, object);
      });
    }
    until(self, [&] { return waiters[0].load() && waiters[1].load(); });
    lock(self, object);
    sync::notify(self, object);
    threads::interrupt(waiters[round % 2]);
    unlock(self, object);
    // The notified thread returns normally, even if it is also interrupted. If the notification were lost, the test
    // would hang here.
    until(self, [&] { return normal >= 1; });
    lock(self, object);
    sync::notify_all(self, object);
    unlock(self, object);
    join_all();
    EXPECT_EQ(normal + interrupted, 2);
  }
}

TEST_P(ContractTest, ProducersAndConsumers) {
  Handle object = make();
  std::vector<int> queue;  // guarded by the lock
  u64 produced = 0, consumed = 0;
  constexpr int items = 5000;
  for (int i = 0; i < 2; ++i) {
    spawn([&](JavaThread* thread) {
      for (int k = 1; k <= items; ++k) {
        lock(thread, object);
        while (queue.size() >= 4) sync::wait(thread, object, 0);
        queue.push_back(k);
        produced += static_cast<u64>(k);
        sync::notify_all(thread, object);
        unlock(thread, object);
      }
    });
    spawn([&](JavaThread* thread) {
      for (int k = 0; k < items; ++k) {
        lock(thread, object);
        while (queue.empty()) sync::wait(thread, object, k % 3 == 0 ? 1 : 0);
        consumed += static_cast<u64>(queue.back());
        queue.pop_back();
        sync::notify_all(thread, object);
        unlock(thread, object);
      }
    });
  }
  join_all();
  EXPECT_EQ(produced, consumed);
}

// --- identity hash ---------------------------------------------------------------------------------------------------

TEST_P(ContractTest, HashIsStableInEveryLockState) {
  Handle free = make(), held = make(), used = make();
  i32 of_free = sync::identity_hash(self, free);
  EXPECT_GT(of_free, 0);
  lock(self, free);
  EXPECT_EQ(sync::identity_hash(self, free), of_free);
  EXPECT_EQ(sync::wait(self, free, 1), Status::Done);
  EXPECT_EQ(sync::identity_hash(self, free), of_free);
  unlock(self, free);
  EXPECT_EQ(sync::identity_hash(self, free), of_free);

  lock(self, held);
  i32 of_held = sync::identity_hash(self, held);
  EXPECT_GT(of_held, 0);
  unlock(self, held);
  EXPECT_EQ(sync::identity_hash(self, held), of_held);

  use_once(used);
  i32 of_used = sync::identity_hash(self, used);
  EXPECT_GT(of_used, 0);
  sync::deflation::run_pass(self);
  EXPECT_EQ(sync::identity_hash(self, used), of_used);
  EXPECT_EQ(sync::identity_hash(self, free), of_free);
}

TEST_P(ContractTest, HashRacesWithLockingAndOtherHashers) {
  for (int round = 0; round < 300; ++round) {
    Handle object = make();
    std::atomic<i32> hashes[3] = {0, 0, 0};
    std::atomic<int> ready{0};
    for (auto& slot : hashes) {
      spawn([&](JavaThread* thread) {
        ++ready;
        until(thread, [&] { return ready >= 3; });
        i32 first = sync::identity_hash(thread, object);
        for (int k = 0; k < 3; ++k) {
          lock(thread, object);
          EXPECT_EQ(sync::identity_hash(thread, object), first);
          unlock(thread, object);
        }
        slot = first;
      });
    }
    join_all();
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[1], hashes[2]);
    EXPECT_EQ(sync::identity_hash(self, object), hashes[0]);
  }
}

TEST_P(ContractTest, HolderQueuedAndWaitersFindTheirObjectAfterItMoved) {
  Handle object = make();
  std::atomic<int> left{0};
  std::atomic<JavaThread*> waiter{nullptr}, interrupted{nullptr}, queued{nullptr};
  for (auto* slot : {&waiter, &interrupted}) {
    spawn([&, slot](JavaThread* thread) {
      lock(thread, object);
      slot->store(thread);
      EXPECT_EQ(sync::wait(thread, object, 0), slot == &waiter ? Status::Done : Status::Interrupted);
      EXPECT_TRUE(sync::holds_lock(thread, object.get()));
      EXPECT_EQ(unlock(thread, object), Status::Done);
      ++left;
    });
    until(self, [&] { return slot->load() != nullptr; });
  }
  lock(self, object);  // both are in wait() now
  i32 hash = sync::identity_hash(self, object);
  spawn([&](JavaThread* thread) {
    queued = thread;
    lock(thread, object);
    EXPECT_EQ(unlock(thread, object), Status::Done);
    ++left;
  });
  threads::interrupt(interrupted);
  until(self, [&] { return is_blocked(queued) && is_blocked(interrupted); });
  for (int i = 0; i < 3; ++i) move_all();
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(sync::identity_hash(self, object), hash);
  auto look = [&] {
    EXPECT_EQ(sync::owner(object.get()), self);
    EXPECT_EQ(sync::blocked_on(queued), object.get());
    EXPECT_EQ(sync::waiting_on(queued), nullptr);
    EXPECT_EQ(sync::blocked_on(interrupted), object.get());
    EXPECT_EQ(sync::blocked_on(waiter), nullptr);
    EXPECT_EQ(sync::waiting_on(waiter), object.get());
  };
  safepoint::run(self, "Test", look);
  EXPECT_EQ(sync::notify(self, object), Status::Done);
  auto look_again = [&] { EXPECT_EQ(sync::blocked_on(waiter), object.get()); };
  safepoint::run(self, "Test", look_again);
  move_all();
  EXPECT_EQ(left, 0);
  EXPECT_EQ(unlock(self, object), Status::Done);
  join_all();
  EXPECT_EQ(left, 3);
  EXPECT_EQ(sync::identity_hash(self, object), hash);
  EXPECT_EQ(sync::owner(object.get()), nullptr);
}

// Returns the algorithms under which several threads may run: all but `none`.
std::vector<std::string_view> contenders() {
  std::vector<std::string_view> names;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) {
    if (algorithm->name != "none") names.push_back(algorithm->name);
  }
  for (std::string_view more : {"lightweight -RecursiveLightweightLocking",
                                "lightweight LockStackCapacity=1",
                                "lightweight LockStackCapacity=3 -RecursiveLightweightLocking",
                                "lightweight+table LockStackCapacity=1",
                                "lightweight+table-a LockStackCapacity=2 -RecursiveLightweightLocking",
                                "lightweight+table OMCacheSize=1",
                                "lightweight+table OMCacheSize=8 LightweightFastLockingSpins=0",
                                "lightweight+table Succession=direct",
                                "lightweight+table Succession=bypass ImpatienceMicros=50",
                                "monitor Succession=direct",
                                "legacy Succession=direct",
                                "lightweight Succession=direct",
                                "lightweight Succession=direct +RestrictConcurrency",
                                "monitor Succession=bypass ImpatienceMicros=0",
                                "lightweight Succession=bypass ImpatienceMicros=50",
                                "monitor +RestrictConcurrency",
                                "legacy +RestrictConcurrency Succession=bypass ImpatienceMicros=200",
                                "monitor +RestrictConcurrency SetAsideMicros=100",
                                "legacy +RestrictConcurrency SetAsideMicros=0",
                                "lightweight +RestrictConcurrency SpinPauses=0",
                                "lightweight +RestrictConcurrency SetAsideMicros=100",
                                "lightweight+table +RestrictConcurrency SetAsideMicros=100",
                                "lightweight+table-a +RestrictConcurrency Succession=bypass",
                                "monitor +MonitorTurns",
                                "legacy +MonitorTurns",
                                "lightweight +MonitorTurns",
                                "lightweight+table +MonitorTurns",
                                "lightweight+table-a +MonitorTurns LockTurnMicros=0",
                                "monitor +MonitorTurns LockTurnMicros=0",
                                "monitor +MonitorTurns ImpatienceMicros=0",
                                "lightweight +MonitorTurns SpinPauses=0",
                                "lightweight +MonitorTurns SpinPauses=2500 LockTurnMicros=50",
                                "monitor Succession=adaptive LockTurnMicros=20",
                                "legacy Succession=adaptive",
                                "lightweight Succession=adaptive SpinPauses=0",
                                "lightweight+table Succession=adaptive ImpatienceMicros=0",
                                "monitor SpinPauses=0",
                                "monitor SpinPauses=2500",
                                "monitor Succession=direct SpinPauses=2500",
                                "hashchains HashChainsBuckets=1",
                                "hashchains-fp HashChainsBuckets=1",
                                "hashchains+3 HashChainsBuckets=1",
                                "cjm-fifo SpinPauses=0",
                                "cjm-by ImpatienceMicros=0",
                                "cjm-by ImpatienceMicros=50 SpinPauses=0",
                                "cjm-hybrid CjmHybridInnerLock=tail",
                                "cjm-hybrid SpinPauses=0",
                                "cjm-hybrid CjmHybridInnerLock=tail SpinPauses=0"})
    names.push_back(more);
  static const std::vector<std::string> variants = [] {
    std::vector<std::string> all;
    for (const sync::SuccessorVariant& variant : sync::successor_variants) {
      if (!variant.strands) all.push_back(fmt::format("monitor SuccessorVariant={}", variant.name));
    }
    return all;
  }();
  names.insert(names.end(), variants.begin(), variants.end());
  std::erase_if(names, [](std::string_view name) { return !runs_on_this_layout(name.substr(0, name.find(' '))); });
  return names;
}
INSTANTIATE_TEST_SUITE_P(Algorithms, ContractTest, testing::ValuesIn(contenders()), [](const auto& algorithm) {
  std::string name(algorithm.param);
  std::replace_if(name.begin(), name.end(), [](char c) { return !isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace keyhole::test
