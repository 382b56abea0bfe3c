// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests Compact Java Monitors beyond the contract: objects that move while they are locked, headers and hashes read
// while other threads hold them, the next owner, the bound on bypass, the monitor while all threads wait.
#include "runtime/sync/algorithms/cjm_by_fast_path.h"
#include "runtime/sync/flag_defaults.h"
#include "runtime/sync/lock_statistics.h"
#include "runtime/sync/sync_world.h"
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

class CjmTest : public SyncTest, public testing::WithParamInterface<std::string_view> {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    SKIP_UNLESS_IT_RUNS("cjm-fifo");
    choose_with_flags(GetParam());
  }
  void TearDown() override {
    SyncTest::TearDown();
    flags::CjmHybridInnerLock = sync::flag_defaults::CjmHybridInnerLock;
    flags::ImpatienceMicros = sync::flag_defaults::ImpatienceMicros;
    flags::LockTurnMicros = sync::flag_defaults::LockTurnMicros;
    flags::CjmBySuccession = sync::flag_defaults::CjmBySuccession;
  }

  static u64 counted(const JavaThread* thread, LockCounter counter) { return thread->lock_counters.get(counter); }
  static bool is_free(Handle object) { return (object->header_word() & layout::lock_mask) == layout::unlocked; }
  u64 displaced(Handle object) {
    u64 word = 0;
    auto look = [&] { word = sync::displaced_header(object.get()); };
    safepoint::run(self, "Test", look);
    return word;
  }
};

TEST_P(CjmTest, ObjectsMoveWhileTheyAreLocked) {
  constexpr int thread_count = 4, object_count = 3, turns = 400;
  struct Guarded {
    Handle object;
    u64 value = 0;
  };
  std::vector<Guarded> guarded(object_count);
  for (Guarded& g : guarded) g.object = make();
  for (int i = 0; i < thread_count; ++i) {
    spawn([&, i](JavaThread* thread) {
      for (int k = 0; k < turns; ++k) {
        Guarded& g = guarded[static_cast<usize>(i + k) % object_count];
        lock(thread, g.object);
        if (k % 7 == 0) {
          lock(thread, g.object);
          sync::notify_all(thread, g.object);
          sync::wait(thread, g.object, 1);
          EXPECT_TRUE(sync::holds_lock(thread, g.object.get()));
          unlock(thread, g.object);
        }
        ++g.value;
        sync::notify(thread, g.object);
        EXPECT_EQ(unlock(thread, g.object), Status::Done);
        safepoint::poll(thread);
      }
    });
  }
  while (running != 0) {
    move_all();
    pause(self);
  }
  join_all();
  u64 sum = 0;
  for (Guarded& g : guarded) sum += g.value;
  EXPECT_EQ(sum, u64{thread_count} * turns);
  for (Guarded& g : guarded) EXPECT_TRUE(is_free(g.object));
}

TEST_P(CjmTest, FirstLockGivesTheHash) {
  Handle object = make();
  EXPECT_EQ(layout::hash_at(object.get(), object->header_word()), 0u);
  lock(self, object);
  EXPECT_FALSE(is_free(object));
  u64 word = displaced(object);
  EXPECT_NE(layout::hash_at(object.get(), word), 0u);
  EXPECT_EQ(layout::klass_id_at(object.get(), word), test_klass_id());
  unlock(self, object);
  EXPECT_EQ(object->header_word(), word);
}

TEST_P(CjmTest, HeadersOfOthersAreCaptured) {
  Handle object = make();
  i32 hash = sync::identity_hash(self, object);
  std::atomic<JavaThread*> holder{nullptr}, queued{nullptr};
  std::atomic<bool> go{false};
  spawn([&](JavaThread* thread) {
    lock(thread, object);
    holder = thread;
    until(thread, [&] { return go.load(); });
    unlock(thread, object);
  });
  until(self, [&] { return holder.load() != nullptr; });
  u64 before = counted(self, LockCounter::chases);
  EXPECT_EQ(sync::identity_hash(self, object), hash);  // held by another
  EXPECT_EQ(counted(self, LockCounter::chases), before + 1);
  spawn([&](JavaThread* thread) {
    queued = thread;
    lock(thread, object);
    unlock(thread, object);
  });
  until(self, [&] { return is_blocked(queued); });
  EXPECT_EQ(sync::identity_hash(self, object), hash);  // reads the hash by way of the queued thread's element
  go = true;
  join_all();
  before = counted(self, LockCounter::chases);
  lock(self, object);
  EXPECT_EQ(sync::identity_hash(self, object), hash);  // reads the hash from its own element, and follows no queue
  EXPECT_EQ(counted(self, LockCounter::chases), before);
  unlock(self, object);
}

// Threads reuse their elements for other objects, while other threads read displaced headers from the elements. A
// reader must never get the header of another object.
TEST_P(CjmTest, CapturedHeadersAreOfTheRightObject) {
  constexpr int object_count = 4;
  Handle objects[object_count];
  i32 hashes[object_count];
  for (int i = 0; i < object_count; ++i) {
    objects[i] = make();
    hashes[i] = sync::identity_hash(self, objects[i]);
  }
  for (int i = 0; i < 3; ++i) {
    spawn([&, i](JavaThread* thread) {
      for (int k = 0; k < 4000; ++k) {
        Handle object = objects[(k + i) % object_count];
        lock(thread, object);
        if (k % 256 == 0) sync::wait(thread, object, 1);
        unlock(thread, object);
        safepoint::poll(thread);
      }
    });
  }
  for (int i = 0; running != 0; ++i) {
    EXPECT_EQ(sync::identity_hash(self, objects[i % object_count]), hashes[i % object_count]);
    EXPECT_EQ(objects[i % object_count]->klass_id(), test_klass_id());
    if (i % 64 == 0) pause(self);
  }
  join_all();
}

// While the lock is free and a thread waits, the header must lead to the wait set. After the last wait has ended, the
// header refers to no queue element.
TEST_P(CjmTest, TheMonitorStaysWhileSomebodyWaits) {
  Handle object = make();
  i32 hash = sync::identity_hash(self, object);
  std::atomic<int> waiting{0}, woken{0};
  for (int i = 0; i < 3; ++i) {
    spawn([&](JavaThread* thread) {
      lock(thread, object);
      ++waiting;
      sync::wait(thread, object, 0);
      ++woken;
      unlock(thread, object);
    });
  }
  until(self, [&] {
    lock(self, object);
    bool all = waiting == 3;
    unlock(self, object);
    return all;
  });
  EXPECT_FALSE(is_free(object));
  EXPECT_EQ(object->klass_id(), test_klass_id());
  EXPECT_EQ(sync::identity_hash(self, object), hash);
  EXPECT_GE(sync::in_use(), 3u);
  auto look = [&] { EXPECT_EQ(sync::owner(object.get()), nullptr); };
  safepoint::run(self, "Test", look);
  for (int i = 1; i <= 3; ++i) {
    lock(self, object);
    sync::notify(self, object);
    unlock(self, object);
    until(self, [&] { return woken == i; });
  }
  join_all();
  EXPECT_TRUE(is_free(object));
  EXPECT_EQ(layout::hash_at(object.get(), object->header_word()), static_cast<u32>(hash));
  EXPECT_EQ(sync::in_use(), 0u);
}

// Queued and notified threads get the lock in queue order. In the algorithms without bypass, every exit hands the lock
// over.
TEST_P(CjmTest, QueuedThreadsAreServedInOrder) {
  Handle object = make();
  std::vector<int> order;  // guarded by the lock
  constexpr int thread_count = 5;
  lock(self, object);
  for (int i = 0; i < thread_count; ++i) {
    std::atomic<JavaThread*> queued{nullptr};
    spawn([&, i](JavaThread* thread) {
      queued = thread;
      lock(thread, object);
      order.push_back(i);
      unlock(thread, object);
    });
    until(self, [&] { return is_blocked(queued); });
  }
  unlock(self, object);
  join_all();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  if (!GetParam().starts_with("cjm-by")) EXPECT_EQ(counted(self, LockCounter::hand_overs), 1u);
}

// A thread that unlocks an object with waiters lends a queue element to the object, and does not get the element back.
// Another thread gets this element later, so the number of elements does not grow.
TEST_P(CjmTest, ElementsAreFoundAgain) {
  Handle object = make();
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> ready{false};
    spawn([&](JavaThread* thread) {
      lock(thread, object);
      ready = true;
      EXPECT_EQ(sync::wait(thread, object, 0), Status::Done);
      unlock(thread, object);
    });
    until(self, [&] { return ready.load(); });
    lock(self, object);
    unlock(self, object);  // leaves while the waiter stays
    lock(self, object);
    sync::notify(self, object);
    unlock(self, object);
    join_all();
    ASSERT_EQ(sync::in_use(), 0u);
  }
}

// One thread always gives its element away, and another one always adopts it (lock_element.h R4): the other thread
// queues whenever the first one holds the lock, and finds no queue when it releases the lock itself.
TEST_P(CjmTest, ElementsReturnFromAThreadThatAdoptsThem) {
  constexpr int rounds = 1500;  // their elements would take 180 KiB
  Handle object = make();
  std::atomic<int> begun{0}, done{0};
  std::atomic<JavaThread*> taker{nullptr};
  usize before = 0;
  spawn([&](JavaThread* thread) {
    taker = thread;
    for (int round = 1; round <= rounds; ++round) {
      until(thread, [&] { return begun == round; });
      lock(thread, object);
      unlock(thread, object);
      done = round;
    }
  });
  until(self, [&] { return taker.load() != nullptr; });
  for (int round = 1; round <= rounds; ++round) {
    lock(self, object);
    begun = round;
    until(self, [&] { return is_blocked(taker); });
    unlock(self, object);
    until(self, [&] { return done == round; });
    if (round == 100) before = sync::statistics::element_bytes();
  }
  join_all();
  EXPECT_LE(sync::statistics::element_bytes() - before, 64u << 10);  // the unit in which the pool reserves memory
}

INSTANTIATE_TEST_SUITE_P(
    Variants, CjmTest,
    testing::Values("cjm-fifo", "cjm-by", "cjm-by ImpatienceMicros=0", "cjm-by CjmBySuccession=race", "cjm-hybrid",
                    "cjm-hybrid CjmHybridInnerLock=tail"),
    [](const auto& variant) {
      std::string name(variant.param);
      std::replace_if(name.begin(), name.end(), [](char c) { return !isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

class CjmByTest : public CjmTest {};

// A running thread takes the lock again before a successor has woken up; no thread becomes starving.
TEST_P(CjmByTest, ARunningThreadPassesTheQueue) {
  Handle object = make();
  std::atomic<bool> enough{false};
  spawn([&](JavaThread* thread) {
    while (!enough) {
      lock(thread, object);
      unlock(thread, object);
      safepoint::poll(thread);
    }
  });
  while (counted(self, LockCounter::bypasses) == 0) {
    lock(self, object);
    unlock(self, object);
  }
  enough = true;
  join_all();
  EXPECT_EQ(counted(self, LockCounter::hand_overs), 0u);
}
INSTANTIATE_TEST_SUITE_P(Patient, CjmByTest, testing::Values("cjm-by ImpatienceMicros=1000000000 CjmBySuccession=race"),
                         [](const auto&) { return "patient"; });

class CjmQuantumTest : public CjmTest {};

constexpr std::string_view quarter_of_an_hour = "cjm-by LockTurnMicros=1000000000 ImpatienceMicros=1000000000";

class CjmSuccessorTest : public CjmTest {
 protected:
  using Element = sync::CjmElementOf<sync::SyncWorld>;
  using Flags = sync::CjmByFlags;

  // Starts a thread that locks the object and then calls `action`. The caller holds the object's lock, so the new
  // thread queues. The function returns when the new thread sleeps as the successor.
  JavaThread* successor_of(Handle object, std::function<void(JavaThread*)> action) {
    std::atomic<JavaThread*> started{nullptr};
    spawn([&started, object, action](JavaThread* thread) {
      started = thread;
      lock(thread, object);
      action(thread);
      unlock(thread, object);
    });
    until(self, [&] { return is_blocked(started); });
    return started;
  }
};

// An exit wakes the successor, but a running thread retakes the lock first, and holds it for long. Then the successor
// must ask the next exit to wake it. If the successor slept in a timed wait instead, which takes a quarter of an hour
// here, the lock would stay idle after that exit.
TEST_P(CjmSuccessorTest, OneRetakeIsNoHeavyContention) {
  Handle object = make();
  bool was_passed = false;
  while (!was_passed) {
    std::atomic<bool> done{false};
    lock(self, object);
    successor_of(object, [&](JavaThread*) { done = true; });
    unlock(self, object);
    lock(self, object);
    was_passed = !done;
    until(self, [&] { return done || (object->header_word() & Flags::roused) == 0; });
    unlock(self, object);
    join_all();
  }
}

// When the holder calls wait, it wakes the successor, even if the successor is in a timed wait and exits need not wake
// it.
TEST_P(CjmSuccessorTest, WaitingEndsATimedWait) {
  Handle object = make();
  lock(self, object);
  JavaThread* successor = successor_of(object, [&](JavaThread* thread) { sync::notify(thread, object); });
  static_cast<Element*>(successor->queued_element.load())->is_heavily_contended.store(true);
  u64 parks = counted(successor, LockCounter::parks);
  auto awake = [&] {
    sync::SyncWorld::unpark(successor);
    return (object->header_word() & Flags::roused) != 0 && counted(successor, LockCounter::parks) > parks;
  };
  until(self, awake);
  EXPECT_EQ(sync::wait(self, object, 0), sync::Status::Done);
  unlock(self, object);
  join_all();
}

INSTANTIATE_TEST_SUITE_P(LongQuanta, CjmSuccessorTest, testing::Values(quarter_of_an_hour),
                         [](const auto&) { return "long"; });

// Two threads only lock and unlock. Each keeps the lock for a quantum and then hands it to the other one, although no
// waiter's patience ever expires.
TEST_P(CjmQuantumTest, AHeavilyContendedLockChangesHandsByQuanta) {
  if (hardware::processors() < 2) GTEST_SKIP() << "one processor: nobody sees a lock that is taken again";
  Handle object = make();
  std::atomic<u64> handed_over{0};
  std::atomic<bool> enough{false};
  // The test takes a second on an idle machine, and longer on a busy machine, because the two threads contend only
  // while both run.
  i64 deadline = hardware::now_nanoseconds() + 400'000'000'000;
  auto work = [&](JavaThread* thread) {
    u64 before = 0;
    while (!enough) {
      lock(thread, object);
      unlock(thread, object);
      safepoint::poll(thread);
      if (u64 now = counted(thread, LockCounter::hand_overs); now != before) {
        before = now;
        if (++handed_over >= 6) enough = true;
      }
    }
  };
  spawn(work);
  while (!enough && hardware::now_nanoseconds() < deadline) {
    lock(self, object);
    unlock(self, object);
    safepoint::poll(self);
    if (counted(self, LockCounter::hand_overs) >= 3) enough = true;
  }
  enough = true;
  join_all();
  EXPECT_GE(counted(self, LockCounter::hand_overs) + handed_over, 3u);
}
INSTANTIATE_TEST_SUITE_P(Quantum, CjmQuantumTest, testing::Values("cjm-by ImpatienceMicros=1000000000"),
                         [](const auto&) { return "turns"; });

class CjmStarvingTest : public CjmTest {};

// When patience expires at once, each exit hands the lock over, and newcomers must queue.
TEST_P(CjmStarvingTest, AStarvingSuccessorIsNotPassed) {
  Handle object = make();
  std::atomic<JavaThread*> queued{nullptr};
  bool done = false;  // guarded by the lock
  lock(self, object);
  spawn([&](JavaThread* thread) {
    queued = thread;
    lock(thread, object);
    done = true;
    unlock(thread, object);
  });
  until(self, [&] { return queued.load() != nullptr && counted(queued, LockCounter::starving) == 1; });
  unlock(self, object);
  lock(self, object);
  EXPECT_TRUE(done);
  EXPECT_EQ(counted(self, LockCounter::hand_overs), 1u);
  EXPECT_EQ(counted(self, LockCounter::bypasses), 0u);
  unlock(self, object);
  join_all();
}
INSTANTIATE_TEST_SUITE_P(Starving, CjmStarvingTest, testing::Values("cjm-by ImpatienceMicros=0"),
                         [](const auto&) { return "starving"; });

}  // namespace
}  // namespace keyhole::test
