// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests lightweight locking with the object monitor table, beyond the contract: the header's contents, the thread's
// cache, the lock record, the counters, and the flags that choose this form.
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::Status;

class TableLockTest : public SyncTest, public testing::WithParamInterface<std::string_view> {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    choose(GetParam());
  }
  u64 counted(LockCounter counter) const { return self->lock_counters.get(counter); }
  void collect() {
    auto all_live = [] { sync::update_references([](Object* object, void*) { return object; }, nullptr); };
    safepoint::run(self, "Test", all_live);
  }
  bool remembers(Handle object) const {
    return std::any_of(std::begin(self->monitor_cache), std::end(self->monitor_cache),
                       [&](const auto& cached) { return cached.object == object.get(); });
  }
};

TEST_P(TableLockTest, AnInflatedHeaderKeepsHashAndAge) {
  Handle object = make();
  layout::Word aged = object->header_word() | layout::Word{5} << layout::age_shift;
  object->header().store(aged);
  inflate(object);
  u32 hash = layout::hash_at(object.get(), object->header_word());
  EXPECT_NE(hash, 0u);  // the table's key
  EXPECT_EQ(object->header_word(), (layout::hashed(aged, hash) & ~layout::lock_mask) | layout::inflated);
  EXPECT_EQ(sync::displaced_header(object.get()), layout::hashed(aged, hash));
  EXPECT_EQ(static_cast<u32>(sync::identity_hash(self, object)), hash);
  EXPECT_EQ(sync::deflation::run_pass(self), 1u);
  EXPECT_EQ(object->header_word(), layout::hashed(aged, hash));
}

// If the thread's cache has the monitor of an inflated object, an enter uses neither the table nor the slow path.
TEST_P(TableLockTest, TheCacheServesRepeatedEnters) {
  Handle object = make();
  inflate(object);
  lock(self, object);  // learns it
  unlock(self, object);
  EXPECT_TRUE(remembers(object));
  u64 enters = counted(LockCounter::slow_enters), exits = counted(LockCounter::slow_exits),
      probes = counted(LockCounter::table_probes);
  for (int i = 0; i < 100; ++i) {
    lock(self, object);
    EXPECT_NE(self->lock_records[0].displaced.load(), 0u);  // for the exit
    lock(self, object);
    unlock(self, object);
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    unlock(self, object);
  }
  EXPECT_EQ(counted(LockCounter::slow_enters), enters);
  EXPECT_EQ(counted(LockCounter::slow_exits), exits);
  EXPECT_EQ(counted(LockCounter::table_probes), probes);
  EXPECT_GT(counted(LockCounter::cache_hits), 0u);  // holds_lock
  EXPECT_EQ(sync::owner(object.get()), nullptr);
}

TEST_P(TableLockTest, CollectionsAndDeflationClearTheCache) {
  for (bool by_collection : {true, false}) {
    Handle object = make(), other = make();
    inflate(object);
    inflate(other);
    lock(self, object);
    unlock(self, object);
    lock(self, other);
    EXPECT_TRUE(remembers(object));
    if (by_collection) collect();
    else sync::deflation::run_pass(self);
    EXPECT_FALSE(remembers(object));
    EXPECT_TRUE(sync::holds_lock(self, other.get()));
    unlock(self, other);  // through its lock record
    lock(self, object);   // the monitor is in the table, or the object is not inflated any more
    EXPECT_TRUE(sync::holds_lock(self, object.get()));
    unlock(self, object);
    sync::deflation::run_pass(self);
  }
}

// A deflated monitor that is not yet reused stays in the cache until the thread polls. It must not be entered.
TEST_P(TableLockTest, ACachedMonitorThatWasTakenAwayIsNotEntered) {
  Handle object = make();
  inflate(object);
  lock(self, object);
  unlock(self, object);
  auto cached = self->monitor_cache[0];
  ASSERT_EQ(cached.object, object.get());
  sync::deflation::run_pass(self);                       // clears the cache, and puts the monitor into the pool
  cached.monitor->owner.store(ObjectMonitor::deflater);  // the owner that the monitor had before the pool reset it
  cached.monitor->contentions.store(INT_MIN);
  self->monitor_cache[0] = cached;
  lock(self, object);
  EXPECT_EQ(self->lock_stack_top, 1u);  // by the header
  unlock(self, object);
  EXPECT_TRUE(sync::wait(self, object, 1) == Status::NotOwner);
  lock(self, object);
  EXPECT_EQ(sync::notify(self, object), Status::Done);
  unlock(self, object);
  self->monitor_cache[0] = {};
}

TEST_P(TableLockTest, ExitOutOfOrderNeedsNoMonitor) {
  Handle a = make(), b = make();
  lock(self, a);
  lock(self, a);
  lock(self, b);
  u64 inflations = counted(LockCounter::inflations);
  EXPECT_EQ(unlock(self, a), Status::Done);
  EXPECT_TRUE(sync::holds_lock(self, a.get()));
  EXPECT_EQ(unlock(self, a), Status::Done);
  EXPECT_FALSE(sync::holds_lock(self, a.get()));
  EXPECT_TRUE(sync::holds_lock(self, b.get()));
  EXPECT_EQ(unlock(self, b), Status::Done);
  EXPECT_EQ(counted(LockCounter::inflations), inflations);
  EXPECT_EQ(sync::in_use(), 0u);
}

// Many objects live briefly, with locks, waits, contention, collections and deflation passes. All monitors return to
// the pool.
TEST_P(TableLockTest, ChurnComesBackToZero) {
  constexpr int objects_per_thread = 150;
  for (int i = 0; i < 3; ++i) {
    spawn([&](JavaThread* thread) {
      for (int k = 0; k < objects_per_thread; ++k) {
        HandleScope inner(thread);
        Handle object = inner.make(new_object());
        lock(thread, object);
        EXPECT_EQ(sync::wait(thread, object, 1), Status::Done);
        unlock(thread, object);
        safepoint::poll(thread);
      }
    });
  }
  u32 most = 0;
  for (int round = 0; running != 0; ++round) {
    most = std::max(most, sync::in_use());
    if (round % 4 == 0) collect();
    else sync::deflation::run_pass(self);
    pause(self);
  }
  join_all();
  EXPECT_GT(most, 0u);
  sync::deflation::run_pass(self);
  EXPECT_EQ(sync::in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Generations, TableLockTest, testing::Values("lightweight+table", "lightweight+table-a"),
                         [](const auto& algorithm) {
                           return std::string(algorithm.param == "lightweight+table" ? "B" : "A");
                         });

// --- flags -----------------------------------------------------------------------------------------------------------

class TableFlagsTest : public SyncTest {
 protected:
  void TearDown() override {
    flags::UseObjectMonitorTable = false;
    flags::ObjectMonitorTableGeneration = "B";
    SyncTest::TearDown();
  }
  // Returns whether this mode keeps the hash of an inflated object in its header.
  bool has_table() {
    Handle object = make();
    i32 hash = sync::identity_hash(self, object);
    inflate(object);
    bool keeps = layout::hash_at(object.get(), object->header_word()) == static_cast<u32>(hash);
    sync::deflation::run_pass(self);
    return keeps;
  }
};

TEST_F(TableFlagsTest, UseObjectMonitorTableGoesWithLightweightOnly) {
  choose("lightweight");
  EXPECT_EQ(has_table(), !layout::can_displace);  // small headers have no room for a monitor's address
  flags::UseObjectMonitorTable = true;
  choose("lightweight");
  EXPECT_TRUE(has_table());
  choose("2");
  EXPECT_TRUE(has_table());
  flags::ObjectMonitorTableGeneration = "A";
  choose("lightweight");
  EXPECT_TRUE(has_table());
  flags::LockingMode = "legacy";
  EXPECT_NE(sync::initialize().find("under LockingMode=legacy no header says that"), std::string::npos);
  flags::LockingMode = "lightweight";
  flags::ObjectMonitorTableGeneration = "C";
  EXPECT_EQ(sync::initialize(), "ObjectMonitorTableGeneration=C is neither A nor B.");
}

}  // namespace
}  // namespace keyhole::test
