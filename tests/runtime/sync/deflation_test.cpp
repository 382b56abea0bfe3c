// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests inflation; deflation while other threads lock; the collector's visits; many short-lived monitors in bounded
// memory.
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

class DeflationTest : public SyncTest, public testing::WithParamInterface<std::string_view> {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    choose(GetParam());
  }
};

TEST_P(DeflationTest, IdleMonitorsAreDeflatedHeldOnesAreNot) {
  Handle idle = make(), held = make();
  // The object gets its hash here, because otherwise the object monitor table would give it one and change the header.
  sync::identity_hash(self, idle);
  u64 before = idle->header_word();
  inflate(idle);
  inflate(held);
  lock(self, held);
  EXPECT_EQ(sync::in_use(), 2u);
  u64 counted = self->lock_counters.get(LockCounter::deflations);
  EXPECT_EQ(sync::deflation::run_pass(self), 1u);
  EXPECT_EQ(self->lock_counters.get(LockCounter::deflations), counted + 1);
  EXPECT_EQ(idle->header_word(), before);
  EXPECT_TRUE(is_inflated(held));
  EXPECT_TRUE(sync::holds_lock(self, held.get()));
  unlock(self, held);
  EXPECT_EQ(sync::deflation::run_pass(self), 1u);
  EXPECT_EQ(sync::in_use(), 0u);
}

TEST_P(DeflationTest, WaitedOnMonitorsAreNotDeflated) {
  Handle object = make();
  std::atomic<bool> stop{false};
  spawn([&](JavaThread* thread) {
    lock(thread, object);
    while (!stop) sync::wait(thread, object, 0);
    unlock(thread, object);
  });
  until(self, [&] { return is_inflated(object); });
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sync::deflation::run_pass(self), 0u);
    auto collect = [] { sync::update_references([](Object* o, void*) { return o; }, nullptr); };
    safepoint::run(self, "Test", collect);
    EXPECT_TRUE(is_inflated(object));
  }
  lock(self, object);
  stop = true;
  sync::notify(self, object);
  unlock(self, object);
  join_all();
}

// Threads lock, wait, hash and deflate the same few objects at once. No thread may wait for ever, and no count or hash
// may be wrong at the end.
TEST_P(DeflationTest, DeflationRacesWithEverything) {
  constexpr int count = 3, turns = 3000;
  struct Guarded {
    Handle object;
    u64 value = 0;
    i32 hash = 0;
  } guarded[count];
  for (Guarded& g : guarded) {
    g.object = make();
    g.hash = sync::identity_hash(self, g.object);
  }
  std::atomic<int> done{0};
  for (int i = 0; i < 4; ++i) {
    spawn([&, i](JavaThread* thread) {
      for (int k = 0; k < turns; ++k) {
        Guarded& g = guarded[(k + i) % count];
        lock(thread, g.object);
        ++g.value;
        if (k % 97 == i) sync::wait(thread, g.object, 1);
        unlock(thread, g.object);
        if (k % 5 == 0) {
          EXPECT_EQ(sync::identity_hash(thread, g.object), g.hash);
        }
        safepoint::poll(thread);
      }
      ++done;
    });
  }
  u64 deflated = 0;
  while (done < 4) {
    deflated += sync::deflation::run_pass(self);
    auto collect = [] { sync::update_references([](Object* o, void*) { return o; }, nullptr); };
    safepoint::run(self, "Test", collect);
    pause(self);
  }
  join_all();
  u64 total = 0;
  for (Guarded& g : guarded) total += g.value;
  EXPECT_EQ(total, u64{4} * turns);
  RecordProperty("deflated", static_cast<int>(deflated));
}

// All threads see the same hash of an object while monitors are installed and deflated.
TEST_P(DeflationTest, HashInstalledDuringDeflationIsStable) {
  for (int round = 0; round < 150; ++round) {
    Handle object = make();
    inflate(object);
    std::atomic<i32> hashes[2] = {0, 0};
    std::atomic<int> ready{0};
    for (auto& slot : hashes) {
      spawn([&](JavaThread* thread) {
        ++ready;
        until(thread, [&] { return ready >= 3; });
        slot = sync::identity_hash(thread, object);
      });
    }
    until(self, [&] { return ready == 2; });
    ++ready;
    sync::deflation::run_pass(self);
    join_all();
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(sync::identity_hash(self, object), hashes[0]);
  }
}

TEST_P(DeflationTest, CollectorMovesAndFreesMonitorsObjects) {
  Handle kept = make(), dead = make();
  inflate(kept);
  inflate(dead);
  i32 hash = sync::identity_hash(self, kept);
  struct Move {
    Object* from;
    Object* to;
  } move{kept.get(), new_object()};
  auto collect = [&] {
    move.to->header().store(move.from->header_word());
    if (must_store_hash(move.from->header_word())) store_hash(move.to, move.from, hash_slot(move.from->klass(), 0));
    kept.set(move.to);
    sync::update_references(
        [](Object* object, void* context) -> Object* {
          Move* m = static_cast<Move*>(context);
          return object == m->from ? m->to : nullptr;
        },
        &move);
  };
  safepoint::run(self, "Test", collect);
  EXPECT_EQ(sync::in_use(), 1u);
  EXPECT_TRUE(is_inflated(kept));  // used since the last collection
  EXPECT_EQ(sync::identity_hash(self, kept), hash);
  auto collect_again = [&] { sync::update_references([](Object* object, void*) { return object; }, nullptr); };
  safepoint::run(self, "Test", collect_again);
  EXPECT_EQ(sync::in_use(), 0u);  // idle for a whole cycle
  EXPECT_FALSE(is_inflated(kept));
  EXPECT_EQ(sync::identity_hash(self, kept), hash);
  EXPECT_EQ(kept->klass_id(), test_klass_id());
}

TEST_P(DeflationTest, LockChurnReusesMonitors) {
  auto reusing = [&](int rounds) {
    std::vector<const void*> seen;
    for (int i = 0; i < rounds; ++i) {
      HandleScope inner(self);
      Handle object = inner.make(new_object());
      inflate(object);
      const void* monitor = sync::lock_identity(object.get());
      if (std::find(seen.begin(), seen.end(), monitor) == seen.end()) seen.push_back(monitor);
      if (i % 20 == 19) sync::deflation::run_pass(self);
    }
    return seen.size();
  };
  EXPECT_LE(reusing(200), 40u);
}

// A collection runs while a deflation pass is in the middle of the list of monitors. Monitors of dead objects are
// removed at once, and the pass continues with the remaining monitors.
TEST_P(DeflationTest, CollectionsInTheMiddleOfAPassTakeMonitorsAway) {
  constexpr u32 count = sync::SyncWorld::monitors_between_polls + 100;
  static Handle survivors[3];  // the objects of the newest, a middle and the oldest monitor
  HandleScope inner(self);
  for (u32 i = 0; i < count; ++i) {
    Handle object = inner.make(new_object());
    inflate(object);
    if (i == 0) survivors[2] = object;
    if (i == count / 2) survivors[1] = object;
    if (i == count - 1) survivors[0] = object;
  }
  ASSERT_EQ(sync::in_use(), count);
  for (Handle& survivor : survivors) lock(self, survivor);
  static u32 polls, left;
  polls = 0;
  sync::monitors.run_pass(
      self,
      [](JavaThread* thread) {
        if (polls++ != 0) return;
        auto collect = [] {
          sync::update_references(
              [](Object* object, void*) -> Object* {
                for (Handle& survivor : survivors) {
                  if (object == survivor.get()) return object;
                }
                return nullptr;
              },
              nullptr);
        };
        safepoint::run(thread, "Test", collect);
        left = sync::in_use();
      },
      [] {
        // No other thread has a pointer to a monitor, so the table may release its old arrays.
        if (auto* home = sync::monitors.home()) home->release_retired();
      });
  EXPECT_GE(polls, 1u);
  EXPECT_EQ(left, 3u);
  EXPECT_EQ(sync::in_use(), 3u);
  for (Handle& survivor : survivors) {
    EXPECT_TRUE(sync::holds_lock(self, survivor.get()));
    unlock(self, survivor);
  }
}

// The modes differ only in what the header of an inflated object contains; inflation and deflation are the same.
INSTANTIATE_TEST_SUITE_P(Homes, DeflationTest,
                         testing::Values("lightweight", "lightweight+table", "lightweight+table-a"),
                         [](const auto& algorithm) {
                           std::string name(algorithm.param);
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(static_cast<unsigned char>(c)); },
                               '_');
                           return name;
                         });

// A thread that creates a monitor for each object that it locks must run a deflation pass itself, before the deflater
// thread has run once.
class ThrottleTest : public SyncTest {
 protected:
  static constexpr i64 per_thread = 16;
  void SetUp() override {
    SyncTest::SetUp();
    SKIP_UNLESS_IT_RUNS("monitor");
    set(flags::AvgMonitorsPerThreadEstimate, per_thread);
    choose("monitor");
  }
  void TearDown() override {
    SyncTest::TearDown();
    set(flags::AvgMonitorsPerThreadEstimate, 1024);
    set(flags::AsyncDeflationInterval, 250);
    set(flags::MonitorUsedThrottleThreshold, 1600);
  }
  u32 most_in_use(u32 objects) {
    u32 most = 0;
    for (u32 i = 0; i < objects; ++i) {
      HandleScope inner(self);
      Handle object = inner.make(new_object());
      lock(self, object);
      unlock(self, object);
      most = std::max(most, sync::in_use());
    }
    return most;
  }
};

TEST_F(ThrottleTest, WhoMakesManyMonitorsMakesRoom) {
  u32 bound = static_cast<u32>(per_thread) * 16 * (threads::count() + 1);  // the deflater is started, too
  EXPECT_LE(most_in_use(20 * bound), bound + 1);
  // This thread has run at least one pass. The deflater thread may have run the other passes.
  EXPECT_GE(self->lock_counters.get(LockCounter::throttled), 1u);
}

// Monitors that are created during a deflation pass do not count as held. So they do not raise the number of monitors
// at which threads run the next pass.
TEST_F(ThrottleTest, APassDoesNotTakeWhatItHasNotSeenForHeld) {
  constexpr u32 others = 2;  // counts the deflater thread, and the thread that the test starts below
  u32 bound = static_cast<u32>(per_thread) * 16 * (threads::count() + others);
  Handle seen = make();
  lock(self, seen);
  unlock(self, seen);
  std::atomic<bool> ready{false};
  spawn([&](JavaThread* thread) {
    ready = true;
    // This thread does not poll while it creates monitors. A deflation pass, which has removed the only monitor, waits
    // for this thread in its handshake.
    while (sync::in_use() != 0) sched_yield();
    for (u32 i = 0; i < bound - static_cast<u32>(per_thread) * 18; ++i) {
      HandleScope inner(thread);
      Handle object = inner.make(new_object());
      lock(thread, object);
      unlock(thread, object);
    }
  });
  until(self, [&] { return ready.load(); });
  EXPECT_EQ(sync::deflation::run_pass(self), 1u);
  join_all();
  EXPECT_LE(most_in_use(4 * bound), bound + 1);
}

// Held monitors cannot be deflated. A pass runs each time that the number of held monitors has doubled, not at each new
// monitor.
TEST_F(ThrottleTest, AProgramThatHoldsManyMonitorsIsLeftInPeace) {
  constexpr u32 held = 800;
  set(flags::MonitorUsedThrottleThreshold, 90);
  HandleScope inner(self);
  std::vector<Handle> objects;
  for (u32 i = 0; i < held; ++i) {
    objects.push_back(inner.make(new_object()));
    lock(self, objects.back());
  }
  EXPECT_EQ(sync::in_use(), held);
  u64 throttled = self->lock_counters.get(LockCounter::throttled);
  EXPECT_GE(throttled, 1u);
  EXPECT_LE(throttled, 8u);
  for (u32 i = held; i != 0; --i) unlock(self, objects[i - 1]);
}

// A small number of monitors does not cause a pass, but the passing of time does.
TEST_F(ThrottleTest, IdleMonitorsGoAfterTheGuaranteedInterval) {
  set(flags::AsyncDeflationInterval, 1);
  set(flags::GuaranteedAsyncDeflationInterval, 20);
  set(flags::AvgMonitorsPerThreadEstimate, 1024);
  choose("monitor");
  Handle object = make();
  lock(self, object);
  unlock(self, object);
  EXPECT_EQ(sync::in_use(), 1u);
  sync::deflation::relieve(self);  // starts the deflater
  until(self, [] { return sync::in_use() == 0; });
  EXPECT_FALSE(is_inflated(object));
}

}  // namespace
}  // namespace keyhole::test
