// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests both generations of the object monitor table: every thread finds each entry exactly once, while the tables
// grow, are rebuilt and are emptied.
#include <algorithm>
#include <random>

#include "runtime/sync/monitor/monitor_table_chained.h"
#include "runtime/sync/monitor/monitor_table_open.h"
#include "runtime/threads/handshake.h"
#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using sync::SyncWorld;
using Open = sync::OpenMonitorTableOf<SyncWorld>;
using Chained = sync::ChainedMonitorTableOf<SyncWorld>;

// An object with a hash that the test chooses, and a monitor for it.
struct Entry {
  Object* object = nullptr;
  u32 hash = 0;
  ObjectMonitor* monitor = nullptr;
};

ObjectMonitor* make_monitor(Object* object, u32 hash) {
  ObjectMonitor* monitor = SyncWorld::allocate_monitor();
  monitor->object.store(object);
  monitor->displaced.store(layout::kept_header(layout::hashed(layout::unlocked, hash), hash));
  return monitor;
}

Entry make_entry(u32 hash) {
  Object* object = new_object();
  return {object, hash, make_monitor(object, hash)};
}

// Hashes with the properties of identity hashes: 31 bits, never 0, the same in each run.
class Hashes {
 public:
  u32 next() { return (random_() & 0x7FFFFFFF) | 1; }

 private:
  std::mt19937 random_{42};
};

template <typename T> class MonitorTableTest : public SyncTest {
 protected:
  using Table = T;
  Table table;

  std::vector<Entry> fill(u32 count) {
    Hashes hashes;
    std::vector<Entry> entries;
    for (u32 i = 0; i < count; ++i) {
      entries.push_back(make_entry(hashes.next()));
      EXPECT_EQ(insert(entries.back()), entries.back().monitor);
    }
    return entries;
  }
  ObjectMonitor* insert(const Entry& entry) { return table.insert(self, entry.hash, entry.object, entry.monitor); }
  ObjectMonitor* find(const Entry& entry) { return table.find(self, entry.hash, entry.object); }
  void remove(const Entry& entry) {
    table.remove(entry.monitor);
    SyncWorld::free_monitor(entry.monitor);
  }
  // Maintains the table, as the deflater does between two passes.
  void tend() {
    table.tend(self, [this] { safepoint::poll(self); });
    handshake::run_all(self, "Test", [](JavaThread*, void*) {}, nullptr);
    table.release_retired();
  }
};
using Generations = testing::Types<Open, Chained>;
struct GenerationNames {
  template <typename Table> static std::string GetName(int) { return std::is_same_v<Table, Open> ? "Open" : "Chained"; }
};
TYPED_TEST_SUITE(MonitorTableTest, Generations, GenerationNames);

TYPED_TEST(MonitorTableTest, WhatIsInIsFoundWhatIsNotIsNot) {
  std::vector<Entry> entries = this->fill(5000);
  EXPECT_EQ(this->table.count(), 5000u);
  for (const Entry& entry : entries) EXPECT_EQ(this->find(entry), entry.monitor);
  Entry other = make_entry(entries[17].hash);  // another object of the same hash
  EXPECT_EQ(this->find(other), nullptr);
  for (usize i = 0; i < entries.size(); i += 2) this->remove(entries[i]);
  EXPECT_EQ(this->table.count(), 2500u);
  for (usize i = 0; i < entries.size(); ++i)
    EXPECT_EQ(this->find(entries[i]), i % 2 == 0 ? nullptr : entries[i].monitor);
  this->tend();
  for (usize i = 0; i < entries.size(); ++i)
    EXPECT_EQ(this->find(entries[i]), i % 2 == 0 ? nullptr : entries[i].monitor);
  for (usize i = 1; i < entries.size(); i += 2) this->remove(entries[i]);
  EXPECT_EQ(this->table.count(), 0u);
  SyncWorld::free_monitor(other.monitor);
}

TYPED_TEST(MonitorTableTest, TheSecondInsertFindsTheFirst) {
  std::vector<Entry> entries = this->fill(300);
  for (const Entry& entry : entries) {
    ObjectMonitor* second = make_monitor(entry.object, entry.hash);
    EXPECT_EQ(this->table.insert(this->self, entry.hash, entry.object, second), entry.monitor);
    SyncWorld::free_monitor(second);
  }
  EXPECT_EQ(this->table.count(), 300u);
  for (const Entry& entry : entries) this->remove(entry);
}

TYPED_TEST(MonitorTableTest, EqualHashesAreToldApart) {
  std::vector<Entry> entries;
  for (int i = 0; i < 200; ++i) {
    entries.push_back(make_entry(12345));
    EXPECT_EQ(this->insert(entries.back()), entries.back().monitor);
  }
  std::shuffle(entries.begin(), entries.end(), std::mt19937(1));
  for (usize i = 0; i < entries.size(); ++i) {
    for (usize k = 0; k < entries.size(); ++k) EXPECT_EQ(this->find(entries[k]), k < i ? nullptr : entries[k].monitor);
    this->remove(entries[i]);
  }
}

// Removals decrease the count of entries: a table that is filled and emptied again and again does not grow.
TYPED_TEST(MonitorTableTest, ChurnDoesNotGrowIt) {
  auto size = [this] {
    if constexpr (std::is_same_v<TypeParam, Open>) return this->table.capacity();
    else return this->table.buckets();
  };
  u32 largest = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<Entry> entries = this->fill(1000);
    for (const Entry& entry : entries) this->remove(entry);
    EXPECT_EQ(this->table.count(), 0u);
    this->tend();
    if (round == 1) largest = size();
    if (round > 1) {
      EXPECT_LE(size(), largest);
    }
  }
}

// An entry whose object is dead holds null. It stays in the table until it is removed, and matches no other object.
TYPED_TEST(MonitorTableTest, EntriesOfDeadObjects) {
  std::vector<Entry> entries = this->fill(100);
  for (usize i = 0; i < entries.size(); i += 2) entries[i].monitor->object.store(nullptr);
  this->fill(0);
  std::vector<Entry> more;
  Hashes hashes;  // generates the hashes of the first entries once more
  for (u32 i = 0; i < 500; ++i) {
    more.push_back(make_entry(hashes.next()));
    EXPECT_EQ(this->insert(more.back()), more.back().monitor);
  }
  this->tend();
  EXPECT_EQ(this->table.count(), 600u);
  for (usize i = 1; i < entries.size(); i += 2) EXPECT_EQ(this->find(entries[i]), entries[i].monitor);
  for (const Entry& entry : entries) this->remove(entry);
  for (const Entry& entry : more) this->remove(entry);
  EXPECT_EQ(this->table.count(), 0u);
}

// Threads insert monitors for the same few objects, while this thread removes them, maintains the table and waits for
// the readers. Each object has at most one monitor, and a monitor that stays is found at any time.
TYPED_TEST(MonitorTableTest, OneMonitorForEachObjectAtAnyTime) {
  constexpr u32 shared_count = 48, resident_count = 24;
  struct Shared {
    Entry entry;  // its field `monitor` stays null, because `removable` has the monitor
    std::atomic<bool> has{false};
    std::atomic<ObjectMonitor*> removable{nullptr};
  };
  std::vector<Shared> shared(shared_count);
  Hashes hashes;
  for (Shared& s : shared) s.entry = {new_object(), hashes.next(), nullptr};
  std::vector<Entry> residents;
  for (u32 i = 0; i < resident_count; ++i) {
    residents.push_back(make_entry(hashes.next() & ~u32{63}));  // neighbours
    ASSERT_EQ(this->insert(residents.back()), residents.back().monitor);
  }
  std::atomic<u64> doubled{0}, missing{0}, inserted{0};
  std::atomic<bool> stop{false};
  for (u32 worker = 0; worker < 3; ++worker) {
    this->spawn([&, worker](JavaThread* thread) {
      std::mt19937 random(worker);
      ObjectMonitor* fresh = nullptr;
      while (!stop) {
        Shared& s = shared[random() % shared_count];
        if (fresh == nullptr) fresh = SyncWorld::allocate_monitor();
        fresh->object.store(s.entry.object);
        fresh->displaced.store(layout::kept_header(layout::hashed(layout::unlocked, s.entry.hash), s.entry.hash));
        ObjectMonitor* monitor = this->table.insert(thread, s.entry.hash, s.entry.object, fresh);
        if (monitor->object.load() != s.entry.object) ++missing;
        if (monitor == fresh) {
          if (s.has.exchange(true)) ++doubled;
          if (this->table.find(thread, s.entry.hash, s.entry.object) != fresh) ++missing;  // no thread removes it yet
          fresh = nullptr;
          ++inserted;
          s.removable.store(monitor);
        }
        const Entry& resident = residents[random() % resident_count];
        if (this->table.find(thread, resident.hash, resident.object) != resident.monitor) ++missing;
        safepoint::poll(thread);
      }
      if (fresh != nullptr) SyncWorld::free_monitor(fresh);
    });
  }
  std::vector<ObjectMonitor*> removed;
  auto remove_some = [&] {
    for (Shared& s : shared) {
      ObjectMonitor* monitor = s.removable.exchange(nullptr);
      if (monitor == nullptr) continue;
      s.has.store(false);
      this->table.remove(monitor);
      removed.push_back(monitor);
    }
  };
  auto free_removed = [&] {
    for (ObjectMonitor* monitor : removed) SyncWorld::free_monitor(monitor);
    removed.clear();
  };
  for (u32 round = 0; round < 60 || inserted < 1500; ++round) {
    remove_some();
    if (round % 3 == 0) {
      auto stopped = [&] { this->table.tend_stopped(); };
      safepoint::run(this->self, "Test", stopped);
    }
    this->tend();  // with the handshake
    free_removed();
    this->pause(this->self);
  }
  stop = true;
  this->join_all();
  remove_some();
  free_removed();
  EXPECT_EQ(doubled, 0u);
  EXPECT_EQ(missing, 0u);
  EXPECT_EQ(this->table.count(), resident_count);
  for (const Entry& entry : residents) this->remove(entry);
}

// --- tests of one generation of the table only -----------------------------------------------------------------------

using OpenTableTest = MonitorTableTest<Open>;

TEST_F(OpenTableTest, GrowsAtAnEighthAndIsRebuiltIntoOneArray) {
  std::vector<Entry> entries = fill(16);
  EXPECT_EQ(table.capacity(), 128u);
  EXPECT_EQ(table.arrays(), 1u);
  Hashes hashes;
  for (int i = 0; i < 40; ++i) hashes.next();
  auto add = [&] {
    entries.push_back(make_entry(hashes.next()));
    EXPECT_EQ(insert(entries.back()), entries.back().monitor);
  };
  add();
  EXPECT_EQ(table.capacity(), 256u);
  EXPECT_EQ(table.arrays(), 2u);
  EXPECT_TRUE(table.needs_tending());
  // Of the 200 entries, 16, 32 and 128 are in the first three arrays, and the rest are in the fourth.
  for (int i = 0; i < 183; ++i) add();
  EXPECT_EQ(table.capacity(), 4096u);
  EXPECT_EQ(table.arrays(), 4u);
  for (const Entry& entry : entries) EXPECT_EQ(find(entry), entry.monitor);
  tend();
  EXPECT_EQ(table.arrays(), 1u);
  EXPECT_EQ(table.count(), 200u);
  for (const Entry& entry : entries) EXPECT_EQ(find(entry), entry.monitor);
  for (const Entry& entry : entries) remove(entry);
}

TEST_F(OpenTableTest, ACollectionGivesMemoryBack) {
  std::vector<Entry> entries = fill(20000);
  auto stopped = [&] { table.tend_stopped(); };
  safepoint::run(self, "Test", stopped);
  EXPECT_EQ(table.arrays(), 1u);
  EXPECT_GE(table.capacity(), 20000u * Open::slots_per_entry);
  for (const Entry& entry : entries) EXPECT_EQ(find(entry), entry.monitor);
  for (usize i = 10; i < entries.size(); ++i) remove(entries[i]);
  safepoint::run(self, "Test", stopped);
  EXPECT_EQ(table.capacity(), Open::minimum_capacity * 2);  // ten entries, and ten more
  for (usize i = 0; i < 10; ++i) EXPECT_EQ(find(entries[i]), entries[i].monitor);
  for (usize i = 0; i < 10; ++i) remove(entries[i]);
}

using ChainedTableTest = MonitorTableTest<Chained>;

TEST_F(ChainedTableTest, BucketsDoubleAtThreeQuarters) {
  u32 at_start = table.buckets();
  EXPECT_GE(at_start, 1024u);
  std::vector<Entry> entries = fill(at_start * 3 / 4);
  EXPECT_EQ(table.buckets(), at_start);
  entries.push_back(make_entry(99));
  insert(entries.back());
  EXPECT_EQ(table.buckets(), at_start * 2);
  for (const Entry& entry : entries) EXPECT_EQ(find(entry), entry.monitor);
  for (const Entry& entry : entries) remove(entry);
}

}  // namespace
}  // namespace keyhole::test
