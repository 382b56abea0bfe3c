// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests properties of single locking algorithms beyond the contract: where a stack lock stores the header, the memory
// that monitors and mutexes keep, the requests that `none` still refuses, the output of `traced`, and the flags that
// are refused.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "runtime/base/log.h"
#include "runtime/sync/algorithms/lightweight_fast_path.h"
#include "runtime/sync/flag_defaults.h"
#include "runtime/threads/lock_counters.h"
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

class RowsTest : public SyncTest {
 protected:
  void TearDown() override {
    SyncTest::TearDown();
    flags::LockStackCapacity = 8;
    flags::RecursiveLightweightLocking = true;
    flags::Succession.clear();
    flags::SuccessorVariant = "base";
    flags::RestrictConcurrency = false;
    flags::MonitorTurns = sync::flag_defaults::MonitorTurns;
    flags::LockTurnMicros = sync::flag_defaults::LockTurnMicros;
    flags::ImpatienceMicros = sync::flag_defaults::ImpatienceMicros;
    flags::SetAsideMicros = 50'000;
    flags::SpinPauses = -1;
    flags::TracedLocking = "lightweight";
    choose("lightweight");
  }
  static std::string refusal_of(std::string_view algorithm) {
    flags::LockingMode = algorithm;
    return sync::initialize();
  }
  static u64 lock_bits(Handle object) { return object->header_word() & layout::lock_mask; }
  u64 counted(LockCounter counter) const { return self->lock_counters.get(counter); }
};

TEST_F(RowsTest, NumbersAreHotSpots) {
  SKIP_UNLESS_IT_RUNS("monitor");
  for (auto [number, name] : {std::pair{"0", "monitor"}, std::pair{"1", "legacy"}, std::pair{"2", "lightweight"}}) {
    ASSERT_EQ(refusal_of(number), "");
    Handle object = make();
    lock(self, object);
    u64 expected = std::string_view(name) == "monitor" ? layout::inflated : layout::locked;
    EXPECT_EQ(lock_bits(object), expected) << name;
    EXPECT_EQ(self->lock_stack_top, std::string_view(name) == "lightweight" ? 1u : 0u);
    unlock(self, object);
    sync::deflation::run_pass(self);
  }
}

TEST_F(RowsTest, TheHashOfWhatIsNotLockedNeedsNoSafepoint) {
  for (const char* name : {"monitor", "legacy", "lightweight", "lightweight+table", "hashchains+3", "cjm-by"}) {
    if (!refusal_of(name).empty()) continue;
    Handle object = make();
    u32 hash = sync::identity_hash_unless_locked(self, object.get());
    EXPECT_NE(hash, 0u) << name;
    EXPECT_EQ(sync::identity_hash_unless_locked(self, object.get()), hash) << name;
    EXPECT_EQ(static_cast<u32>(sync::identity_hash(self, object)), hash) << name;
    lock(self, object);
    u32 held = sync::identity_hash_unless_locked(self, object.get());
    EXPECT_TRUE(held == 0 || held == hash) << name;
    EXPECT_EQ(static_cast<u32>(sync::identity_hash(self, object)), hash) << name;
    unlock(self, object);
    sync::deflation::run_pass(self);
  }
}

TEST_F(RowsTest, AStackLockPointsAtItsRecord) {
  SKIP_UNLESS_IT_RUNS("legacy");
  choose("legacy");
  Handle object = make();
  i32 hash = sync::identity_hash(self, object);
  u64 free_word = object->header_word();
  lock(self, object);
  const LockRecord* record = &self->lock_records[0];
  EXPECT_EQ(layout::displaced_pointer(object->header_word()), reinterpret_cast<uptr>(record));
  EXPECT_EQ(record->displaced.load(), free_word);
  EXPECT_EQ(sync::displaced_header(object.get()), free_word);
  EXPECT_EQ(object->klass_id(), test_klass_id());
  // The holder of a lock reads the object's hash from its own lock record. A nested enter does not write the header.
  u64 held_word = object->header_word();
  EXPECT_EQ(sync::identity_hash(self, object), hash);
  lock(self, object);
  EXPECT_EQ(object->header_word(), held_word);
  unlock(self, object);
  unlock(self, object);
  EXPECT_EQ(object->header_word(), free_word);
  EXPECT_EQ(sync::in_use(), 0u);
}

TEST_F(RowsTest, TheHashOfAStackLockedObjectInflatesIt) {
  SKIP_UNLESS_IT_RUNS("legacy");
  choose("legacy");
  Handle object = make(), foreign = make();
  lock(self, object);
  lock(self, object);
  i32 hash = sync::identity_hash(self, object);
  EXPECT_TRUE(is_inflated(object));
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  lock(self, object);  // the monitor counts the third level; the first two levels are in lock records
  for (int level = 0; level < 3; ++level) {
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    EXPECT_EQ(unlock(self, object), Status::Done);
  }
  EXPECT_FALSE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(sync::identity_hash(self, object), hash);

  // A thread that asks for the hash of another thread's stack-locked object must inflate the object, and must not read
  // the other thread's lock record.
  lock(self, foreign);
  std::atomic<i32> seen{0};
  spawn([&](JavaThread* thread) { seen = sync::identity_hash(thread, foreign); });
  until(self, [&] { return running == 0; });
  EXPECT_TRUE(is_inflated(foreign));
  EXPECT_TRUE(sync::holds_lock(self, foreign.get()));
  EXPECT_EQ(sync::owner(foreign.get()), self);
  unlock(self, foreign);
  EXPECT_EQ(sync::identity_hash(self, foreign), seen);
}

// A thread inflates a stack lock while the lock's holder locks and unlocks again and again. No thread may read a lock
// record that the holder has popped.
TEST_F(RowsTest, InflationRacesWithStackLocking) {
  SKIP_UNLESS_IT_RUNS("legacy");
  choose("legacy");
  for (int round = 0; round < 300; ++round) {
    Handle object = make();
    std::atomic<i32> hash{0};
    std::atomic<bool> go{false};
    spawn([&](JavaThread* thread) {
      until(thread, [&] { return go.load(); });
      hash = sync::identity_hash(thread, object);
    });
    go = true;
    for (int turn = 0; turn < 200; ++turn) {
      lock(self, object);
      lock(self, object);
      EXPECT_EQ(unlock(self, object), Status::Done);
      EXPECT_EQ(unlock(self, object), Status::Done);
    }
    join_all();
    EXPECT_EQ(sync::identity_hash(self, object), hash);
    EXPECT_EQ(object->klass_id(), test_klass_id());
  }
}

TEST_F(RowsTest, WithoutRecursionTheSecondEnterInflates) {
  flags::RecursiveLightweightLocking = false;
  choose("lightweight");
  EXPECT_EQ(&sync::fast_path(), layout::can_displace ? &sync::fast_path_rows::lightweight_limited
                                                     : &sync::fast_path_rows::monitor_table_limited);
  Handle object = make();
  lock(self, object);
  EXPECT_EQ(lock_bits(object), layout::locked);
  lock(self, object);
  EXPECT_EQ(lock_bits(object), layout::inflated);
  unlock(self, object);
  unlock(self, object);
}

TEST_F(RowsTest, AFullLockStackGivesUpItsOldestEntry) {
  flags::LockStackCapacity = 2;
  choose("lightweight");
  Handle a = make(), b = make(), c = make();
  lock(self, a);
  lock(self, b);
  EXPECT_EQ(lock_bits(a), layout::locked);
  lock(self, c);
  EXPECT_EQ(lock_bits(a), layout::inflated);
  EXPECT_EQ(lock_bits(b), layout::locked);
  EXPECT_EQ(lock_bits(c), layout::locked);
  for (Handle object : {c, b, a}) EXPECT_EQ(unlock(self, object), Status::Done);
}

TEST_F(RowsTest, DirectSuccessionHandsOver) {
  SKIP_UNLESS_IT_RUNS("monitor");
  flags::Succession = "direct";
  choose("monitor");
  Handle object = make();
  lock(self, object);
  std::atomic<JavaThread*> waiter{nullptr};
  std::atomic<bool> entered{false};
  spawn([&](JavaThread* thread) {
    waiter = thread;
    lock(thread, object);
    entered = true;
    unlock(thread, object);
  });
  until(self, [&] { return is_blocked(waiter); });
  // Waits until the thread is queued and asleep. An earlier exit would free the lock instead of handing it over.
  ObjectMonitor* monitor = ObjectMonitor::of_header(object->header_word());
  until(self, [&] { return monitor->entry_list.load() != nullptr; });
  u64 before = counted(LockCounter::hand_overs);
  unlock(self, object);
  EXPECT_EQ(counted(LockCounter::hand_overs), before + 1);
  join_all();
  EXPECT_TRUE(entered);
}

// Two threads only lock and unlock. Each keeps the monitor for a quantum and then hands it to the other one.
TEST_F(RowsTest, AHeavilyContendedMonitorChangesHandsByQuanta) {
  SKIP_UNLESS_IT_RUNS("monitor");
  flags::MonitorTurns = true;
  // The patience is so long that only the end of a quantum causes a hand-over.
  flags::ImpatienceMicros = 1'000'000'000;
  choose("monitor");
  Handle object = make();
  lock(self, object);
  ObjectMonitor* monitor = ObjectMonitor::of_header(object->header_word());
  unlock(self, object);
  std::atomic<u64> others_hand_overs{0};
  std::atomic<bool> enough{false};
  spawn([&](JavaThread* thread) {
    u64 before = thread->lock_counters.get(LockCounter::hand_overs);
    while (!enough) {
      lock(thread, object);
      unlock(thread, object);
      safepoint::poll(thread);
      others_hand_overs = thread->lock_counters.get(LockCounter::hand_overs) - before;
    }
  });
  u64 before = counted(LockCounter::hand_overs);
  i64 deadline = hardware::now_nanoseconds() + 100'000'000'000;
  auto hand_overs = [&] { return counted(LockCounter::hand_overs) - before + others_hand_overs; };
  while (hand_overs() < 3 && hardware::now_nanoseconds() < deadline) {
    lock(self, object);
    // Marks the monitor as heavily contended. On a busy machine a successor would not mark it, because the holder and
    // the successor rarely run at the same time.
    if (monitor->entry_list.load() != nullptr) {
      monitor->collisions.heavily_contended_since.store(1);
      monitor->quantum_of.set(self->id);
    }
    unlock(self, object);
    safepoint::poll(self);
  }
  enough = true;
  join_all();
  EXPECT_GE(hand_overs(), 3u);
}

// An owner that waits leaves the lock to the oldest waiter, even if another thread is designated and sleeps with a
// timeout.
TEST_F(RowsTest, WaitingEndsATurn) {
  SKIP_UNLESS_IT_RUNS("monitor");
  flags::MonitorTurns = true;
  flags::ImpatienceMicros = flags::LockTurnMicros = 1'000'000'000;
  choose("monitor");
  Handle object = make();
  lock(self, object);
  ObjectMonitor* monitor = ObjectMonitor::of_header(object->header_word());
  spawn([&](JavaThread* thread) {
    lock(thread, object);
    sync::notify(thread, object);
    unlock(thread, object);
  });
  until(self, [&] { return monitor->entry_list.load() != nullptr; });
  // Designates the thread as a successor that is in a timed wait of a quarter of an hour.
  monitor->successor.store(monitor->entry_list.load()->thread->id);
  monitor->successor_sleeps.store(1);
  EXPECT_EQ(sync::wait(self, object, 0), sync::Status::Done);
  unlock(self, object);
  join_all();
}

// The holder of a heavily contended monitor stops using it. The successor takes the monitor after one timed wait, long
// before the quantum ends. After several such timed waits the monitor does not count as heavily contended any more, and
// successors do not sleep with a timeout.
TEST_F(RowsTest, NobodyNapsLongBesideAnIdleMonitor) {
  SKIP_UNLESS_IT_RUNS("monitor");
  flags::MonitorTurns = true;
  flags::LockTurnMicros = 1'200'000;
  flags::ImpatienceMicros = 1'000'000'000;
  choose("monitor");
  Handle object = make();
  lock(self, object);
  ObjectMonitor* monitor = ObjectMonitor::of_header(object->header_word());
  unlock(self, object);
  monitor->collisions.heavily_contended_since.store(static_cast<u32>(hardware::now_nanoseconds() / 1000) | 1);
  // Here the state `heavily contended` ends after four timed waits of 300 ms at an idle monitor. With the default
  // flags, which choose() has restored, the state ends after more waits.
  constexpr u32 waits = 4;
  sync::monitor_settings.quantum.idle_times_until_reset = waits;
  for (u32 time = 0; time <= waits; ++time) {
    const bool contended = time < waits;
    EXPECT_EQ(monitor->collisions.is_heavily_contended(), contended) << time;
    lock(self, object);
    std::atomic<u64> starving{1};
    spawn([&](JavaThread* thread) {
      lock(thread, object);
      starving = thread->lock_counters.get(LockCounter::starving);
      unlock(thread, object);
    });
    until(self, [&] { return monitor->entry_list.load() != nullptr; });
    monitor->quantum_of.set(self->id);  // makes the holder's quantum begin now
    i64 begin = hardware::now_nanoseconds();
    unlock(self, object);
    join_all();
    EXPECT_EQ(starving, 0u) << "it waited for the quantum to end";
    if (contended) EXPECT_GE(hardware::now_nanoseconds() - begin, 200'000'000) << "it had no hint";
  }
}

TEST_F(RowsTest, RestrictedConcurrencyWakesTheNewest) {
  SKIP_UNLESS_IT_RUNS("monitor");
  flags::RestrictConcurrency = true;
  flags::SetAsideMicros = 1'000'000'000;
  flags::SpinPauses = 0;
  choose("monitor");
  Handle object = make();
  lock(self, object);
  ObjectMonitor* monitor = ObjectMonitor::of_header(object->header_word());
  std::vector<int> order;  // guarded by the lock
  for (int i = 0; i < 3; ++i) {
    auto* head = monitor->entry_list.load();
    spawn([&, i](JavaThread* thread) {
      lock(thread, object);
      order.push_back(i);
      unlock(thread, object);
    });
    until(self, [&] { return monitor->entry_list.load() != head; });
  }
  u64 before = counted(LockCounter::culled);
  unlock(self, object);
  join_all();
  // The exit culls the older waiters and wakes the newest. But one exit in a thousand promotes the oldest waiter
  // instead, and culls no thread.
  if (counted(LockCounter::culled) != before) {
    EXPECT_EQ(order.front(), 2);
  } else {
    EXPECT_EQ(order.front(), 0);
  }
}

// Exits wake the newest waiter first. But a thread that has been culled for long enough becomes the next owner, even if
// other threads want the lock.
TEST_F(RowsTest, RestrictedConcurrencyHandsTheLockToAnEldestThatHasWaitedLongEnough) {
  for (std::string_view algorithm : {"monitor", "legacy", "lightweight", "lightweight+table", "lightweight+table-a"}) {
    if (!runs_on_this_layout(algorithm)) continue;
    for (std::string_view succession : {"competitive", "direct"}) {
      flags::RestrictConcurrency = true;
      flags::SetAsideMicros = 5000;
      flags::Succession = succession;
      flags::SpinPauses = 0;
      choose(algorithm);
      Handle object = make();
      lock(self, object);
      std::vector<int> order;  // guarded by the lock
      std::atomic<JavaThread*> queued[3] = {};
      for (int i = 0; i < 3; ++i) {
        spawn([&, i](JavaThread* thread) {
          queued[i] = thread;
          lock(thread, object);
          order.push_back(i);
          unlock(thread, object);
        });
        until(self,
              [&] { return queued[i] != nullptr && queued[i].load()->lock_counters.get(LockCounter::parks) != 0; });
      }
      until(self, [&] { return queued[0].load()->lock_counters.get(LockCounter::starving) != 0; });
      u64 before = counted(LockCounter::hand_overs);
      unlock(self, object);
      EXPECT_EQ(counted(LockCounter::hand_overs), before + 1) << algorithm << " " << succession;
      join_all();
      ASSERT_EQ(order.size(), 3u);
      EXPECT_EQ(order.front(), 0) << algorithm << " " << succession;
      sync::deflation::run_pass(self);
    }
  }
}

TEST_F(RowsTest, AMutexPerObjectIsKeptWhileThereAreFew) {
  choose("pthread");
  Handle object = make();
  lock(self, object);
  EXPECT_EQ(sync::in_use(), 1u);
  unlock(self, object);
  EXPECT_EQ(sync::in_use(), 1u);
  for (int i = 0; i < 6000; ++i) {
    HandleScope inner(self);
    Handle other = inner.make(new_object());
    lock(self, other);
    unlock(self, other);
  }
  EXPECT_LE(sync::in_use(), 4097u);
  // A collection moves a locked object. The VM must then find the lock by the object's new address.
  lock(self, object);
  struct Move {
    Object* from;
    Object* to;
  } move{object.get(), new_object()};
  auto collect = [&] {
    object.set(move.to);
    self->lock_records[0].object = move.to;
    sync::update_references(
        [](Object* moved, void* context) -> Object* {
          Move* m = static_cast<Move*>(context);
          return moved == m->from ? m->to : nullptr;
        },
        &move);
  };
  safepoint::run(self, "Test", collect);
  EXPECT_EQ(sync::in_use(), 1u);
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  EXPECT_EQ(sync::owner(object.get()), self);
  EXPECT_EQ(unlock(self, object), Status::Done);
  EXPECT_FALSE(sync::holds_lock(self, object.get()));
}

TEST_F(RowsTest, WithoutLocksOwnershipIsStillChecked) {
  choose("none");
  EXPECT_TRUE(sync::runs_one_thread());
  Handle object = make();
  u64 before = object->header_word();
  EXPECT_EQ(refused_exit(self, object), Status::NotOwner);
  EXPECT_EQ(sync::wait(self, object, 1), Status::NotOwner);
  EXPECT_EQ(sync::notify(self, object), Status::NotOwner);
  lock(self, object);
  lock(self, object);
  EXPECT_EQ(object->header_word(), before);
  EXPECT_EQ(sync::notify_all(self, object), Status::Done);
  i64 begin = hardware::now_nanoseconds();
  EXPECT_EQ(sync::wait(self, object, 10), Status::Done);
  EXPECT_GE(hardware::now_nanoseconds() - begin, 10'000'000);
  threads::interrupt(self);
  EXPECT_EQ(sync::wait(self, object, 0), Status::Interrupted);
  unlock(self, object);
  EXPECT_TRUE(sync::holds_lock(self, object.get()));
  unlock(self, object);
  EXPECT_FALSE(sync::holds_lock(self, object.get()));
}

TEST_F(RowsTest, WithoutLocksNotifyWakesWhoWaitsLongest) {
  choose("none");
  Handle object = make(), other = make();
  std::atomic<int> awake{0}, awake_elsewhere{0};
  auto wait_on = [&](Handle which, std::atomic<int>& count) {
    spawn([&, which](JavaThread* thread) {
      lock(thread, which);
      EXPECT_EQ(sync::wait(thread, which, 0), Status::Done);
      unlock(thread, which);
      ++count;
    });
  };
  auto waiting = [&] {
    int count = 0;
    auto look = [&] { threads::for_each([&](JavaThread* thread) { count += sync::waiting_on(thread) != nullptr; }); };
    safepoint::run(self, "Test", look);
    return count;
  };
  wait_on(other, awake_elsewhere);
  wait_on(object, awake);
  wait_on(object, awake);
  until(self, [&] { return waiting() == 3; });
  lock(self, object);
  sync::notify(self, object);
  until(self, [&] { return awake == 1; });
  EXPECT_EQ(waiting(), 2);
  sync::notify_all(self, object);
  unlock(self, object);
  until(self, [&] { return awake == 2; });
  EXPECT_EQ(awake_elsewhere, 0);
  lock(self, other);
  sync::notify(self, other);
  unlock(self, other);
  join_all();
}

TEST_F(RowsTest, TheTracedRowShowsTransitions) {
  flags::TracedLocking = "lightweight";
  choose("traced");
  std::filesystem::path file = std::filesystem::temp_directory_path() /
                               fmt::format("keyhole-traced-{}-{}.txt", getpid(), hardware::now_nanoseconds());
  ASSERT_EQ(log::configure(":locking=info:file=" + file.string() + ":none"), "");
  Handle object = make();
  lock(self, object);
  use_once(object);
  unlock(self, object);
  refused_exit(self, object);
  ASSERT_EQ(log::configure(":locking=off:file=" + file.string()), "");
  std::ifstream stream(file);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(file);
  std::string held = fmt::format("held by {}", self->id), prefix = fmt::format("thread {} object ", self->id);
  EXPECT_NE(text.find(prefix), text.npos) << text;
  EXPECT_NE(text.find("(test.Locked) enter: 01 free -> 00 " + held + "\n"), text.npos) << text;
  EXPECT_NE(text.find("wait: 00 " + held + " -> 10 " + held + "\n"), text.npos) << text;
  EXPECT_NE(text.find("exit: 10 " + held + " -> 10 free\n"), text.npos) << text;
  EXPECT_NE(text.find("exit: 10 free -> 10 free (not the owner)\n"), text.npos) << text;
}

TEST_F(RowsTest, CombinationsThatCannotWorkAreRefusedWithAReason) {
  flags::Succession = "direct";
  flags::SuccessorVariant = "v5";
  EXPECT_NE(refusal_of("lightweight").find("successor hint"), std::string::npos);
  flags::SuccessorVariant = "v8";
  flags::Succession.clear();
  EXPECT_NE(refusal_of("lightweight").find("v4-checked"), std::string::npos);
  flags::SuccessorVariant = "base";
  flags::Succession = "fair";
  EXPECT_NE(refusal_of("lightweight").find("competitive, direct, bypass"), std::string::npos);
  flags::Succession.clear();
  flags::TracedLocking = "traced";
  EXPECT_NE(refusal_of("traced").find("TracedLocking=traced"), std::string::npos);
  flags::TracedLocking = "none";
  EXPECT_NE(refusal_of("traced").find("TracedLocking=none"), std::string::npos);
  // Algorithms without monitors refuse flags about monitors.
  flags::SuccessorVariant = "v3";
  EXPECT_NE(refusal_of("pthread").find("SuccessorVariant"), std::string::npos);
  flags::SuccessorVariant = "base";
  flags::RestrictConcurrency = true;
  EXPECT_NE(refusal_of("pthread").find("RestrictConcurrency"), std::string::npos);
  if (runs_on_this_layout("cjm-by")) {
    EXPECT_NE(refusal_of("cjm-by").find("would change nothing"), std::string::npos);
  }
  flags::RestrictConcurrency = false;
  // Sharing by quanta excludes other kinds of succession, and needs monitors.
  flags::MonitorTurns = true;
  EXPECT_EQ(refusal_of("pthread"), "");
  flags::RestrictConcurrency = true;
  EXPECT_NE(refusal_of("lightweight").find("MonitorTurns does not go with RestrictConcurrency"), std::string::npos);
  flags::RestrictConcurrency = false;
  flags::Succession = "direct";
  EXPECT_NE(refusal_of("lightweight").find("MonitorTurns does not go with Succession=direct"), std::string::npos);
  flags::Succession.clear();
  flags::SuccessorVariant = "v3";
  EXPECT_NE(refusal_of("lightweight").find("MonitorTurns does not go with SuccessorVariant=v3"), std::string::npos);
  flags::SuccessorVariant = "base";
  flags::MonitorTurns = false;
  flags::RestrictConcurrency = true;
  flags::SuccessorVariant = "base";
  flags::Succession = "adaptive";
  EXPECT_NE(refusal_of("lightweight").find("Succession=adaptive does not go with RestrictConcurrency"),
            std::string::npos);
  flags::RestrictConcurrency = false;
  flags::Succession = "direct";
  EXPECT_NE(refusal_of("pthread").find("Succession"), std::string::npos);
  flags::Succession.clear();
  EXPECT_EQ(refusal_of("lightweight"), "");
}

// A lock that was loaded from a file adds a row to the table of algorithms. LockingMode selects the row by its name or
// by the file's path. The VM refuses the file if another row has the same name.
TEST_F(RowsTest, OneRowMayBeAddedBeforeTheStart) {
  EXPECT_NE(refusal_of("./added.so").find("not among the locking algorithms"), std::string::npos);
  auto copy_of = [](std::string_view name) {
    sync::Algorithm row = **std::ranges::find(sync::all_algorithms(), "pthread", &sync::Algorithm::name);
    row.name = name;
    return row;
  };
  static const sync::Algorithm clashing = copy_of("lightweight"), added = copy_of("added");
  EXPECT_NE(sync::add_algorithm(clashing).find("give it another name"), std::string::npos);
  usize before = sync::all_algorithms().size();
  EXPECT_EQ(sync::add_algorithm(added), "");
  EXPECT_EQ(sync::all_algorithms().size(), before + 1);
  for (std::string_view chosen : {"added", "./added.so"}) {
    EXPECT_EQ(refusal_of(chosen), "");
    Handle object = make();
    u64 slow = counted(LockCounter::bucket_locks);
    lock(self, object);
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    unlock(self, object);
    EXPECT_GT(counted(LockCounter::bucket_locks), slow) << chosen;
  }
}

// An address that goes into the header beside the klass does not fit into a 4-byte header.
TEST_F(RowsTest, WhatDisplacesHeadersNeedsWideOnes) {
  u32 displacing = 0;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) {
    // If the header has no room for a monitor's address, `lightweight` means lightweight+table.
    if (algorithm->name == "lightweight") continue;
    bool displaces = !algorithm->properties.displacing.empty();
    displacing += displaces;
    std::string refusal = refusal_of(algorithm->name);
    if (displaces && !layout::can_displace) {
      EXPECT_NE(refusal.find("does not run on 4-byte headers"), std::string::npos) << refusal;
      EXPECT_NE(refusal.find(algorithm->properties.displacing), std::string::npos) << refusal;
    } else {
      EXPECT_EQ(refusal, "") << algorithm->name;
    }
  }
  EXPECT_EQ(displacing, 5u);  // the algorithms monitor and legacy, and three variants of cjm
  for (std::string_view watched : {"legacy", "lightweight"}) {
    flags::TracedLocking = watched;
    EXPECT_EQ(refusal_of("traced").empty(), runs_on_this_layout(watched));
  }
}

}  // namespace
}  // namespace keyhole::test
