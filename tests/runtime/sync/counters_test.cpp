// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// No locking mode is another mode under a different name: each changes exactly the counters that its row predicts
// (CounterTraces in runtime/sync/algorithm.h lists the situations and the letters).
#include <algorithm>

#include "tests/runtime/sync/sync_fixture.h"

namespace keyhole::test {
namespace {

using Counts = std::array<u64, lock_counter_count>;

std::string letters(const Counts& before, const Counts& after) {
  constexpr std::pair<char, LockCounter> alphabet[] = {
      {'S', LockCounter::slow_enters},  {'K', LockCounter::contended_enters}, {'I', LockCounter::inflations},
      {'T', LockCounter::table_probes}, {'B', LockCounter::bucket_locks},     {'H', LockCounter::hand_overs},
      {'C', LockCounter::chases},
  };
  std::string seen;
  for (auto [letter, counter] : alphabet) {
    usize i = static_cast<usize>(counter);
    if (after[i] != before[i]) seen += letter;
  }
  return seen;
}

class CountersTest : public SyncTest, public testing::WithParamInterface<std::string_view> {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    SKIP_UNLESS_IT_RUNS(GetParam());
    // Sets a time so long that no waiter becomes starving. An exit would hand the lock to a starving waiter, but the
    // expected counts assume that waiters take the lock by a bypass.
    flags::ImpatienceMicros = 10'000'000;
    choose(GetParam());
    // Locks an object once before the test, because the counts must not include memory that a thread allocates at its
    // first enter.
    Handle first = make();
    lock(self, first);
    unlock(self, first);
  }
  void TearDown() override {
    SyncTest::TearDown();
    flags::ImpatienceMicros = patience_micros;
  }
  const i64 patience_micros = flags::ImpatienceMicros;

  static Counts counts_of(const JavaThread* thread) {
    Counts counts;
    for (u32 i = 0; i < lock_counter_count; ++i) counts[i] = thread->lock_counters.get(static_cast<LockCounter>(i));
    return counts;
  }
  Counts counts_of_self_and(const Counts& other) const {
    Counts counts = counts_of(self);
    for (u32 i = 0; i < lock_counter_count; ++i) counts[i] += other[i];
    return counts;
  }
};

TEST_P(CountersTest, AreThoseOfItsIdea) {
  auto is_it = [](const sync::Algorithm* algorithm) { return algorithm->name == GetParam(); };
  const sync::CounterTraces& traces = (*std::ranges::find_if(sync::all_algorithms(), is_it))->properties.traces;

  Counts before = counts_of(self);
  for (int i = 0; i < 4; ++i) {
    Handle object = make();
    lock(self, object);
    unlock(self, object);
  }
  EXPECT_EQ(letters(before, counts_of(self)), traces.alone) << "alone";
  if (sync::runs_one_thread()) return;

  // The other thread holds the object until the main thread is blocked on it.
  Handle object = make();
  std::atomic<bool> held{false};
  Counts others{};
  before = counts_of(self);
  spawn([&](JavaThread* thread) {
    lock(thread, object);
    held = true;
    until(thread, [&] { return is_blocked(self); });
    unlock(thread, object);
    others = counts_of(thread);
  });
  until(self, [&] { return held.load(); });
  lock(self, object);
  unlock(self, object);
  join_all();
  EXPECT_EQ(letters(before, counts_of_self_and(others)), traces.contended) << "contended";

  Handle secret = make();
  std::atomic<bool> told{false};
  held = false;
  spawn([&](JavaThread* thread) {
    lock(thread, secret);
    held = true;
    until(thread, [&] { return told.load(); });
    unlock(thread, secret);
  });
  until(self, [&] { return held.load(); });
  before = counts_of(self);
  EXPECT_NE(sync::identity_hash(self, secret), 0);
  Counts after = counts_of(self);
  told = true;
  join_all();
  EXPECT_EQ(letters(before, after), traces.hashed) << "hashed";
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) all.push_back(algorithm->name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Algorithms, CountersTest, testing::ValuesIn(names()), [](const auto& name) {
  std::string label(name.param);
  for (char& c : label) {
    if (!isalnum(c)) c = '_';
  }
  return label;
});

}  // namespace
}  // namespace keyhole::test
