// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The model checker finds all planted faults and no others: litmus tests of the memory model, races, lost wake-ups,
// freed memory.
#include "runtime/base/platform/checked_world.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>

#include "runtime/base/platform/checked_explorer.h"

namespace keyhole::test {
namespace {

using W = CheckedWorld;
using checked::Engine;
using checked::Limits;
using checked::Report;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// A program for the model checker: a function for each thread, and a function that runs after all threads. Each
// execution creates the cells of State in the same memory, because malloc would not return the same addresses each
// time.
template <typename State> class Litmus : public checked::Program {
 public:
  std::vector<std::function<void(State&)>> threads;
  std::function<void(State&)> end = [](State&) {};
  u32 spurious = 0;

  u32 thread_count() const override { return static_cast<u32>(threads.size()); }
  u32 spurious_wakeups() const override { return spurious; }
  void set_up() override { state_ = W::allocate<State>(); }
  void run(u32 thread) override { threads[thread](*state_); }
  void finish() override { end(*state_); }
  void tear_down() override { std::destroy_at(state_); }

 private:
  State* state_ = nullptr;
};

struct Two {
  W::Atomic<u64> x{0}, y{0};
  u64 seen[4] = {};
};

template <typename Program> Report check(Program& program, u32 preemptions = 4) {
  return checked::explore(program, {.states = 200'000, .preemptions = preemptions});
}

// Returns all combinations of read values that occur in some execution.
template <typename Program> std::set<std::pair<u64, u64>> results(Program& program) {
  std::set<std::pair<u64, u64>> all;
  program.end = [&](Two& two) { all.insert({two.seen[0], two.seen[1]}); };
  Report report = check(program);
  EXPECT_FALSE(report.finding) << report.finding->script;
  EXPECT_EQ(report.bound, Report::unbounded);
  return all;
}

using Pairs = std::set<std::pair<u64, u64>>;

TEST(CheckedWorld, StoresAreBufferedBehindLoads) {
  Litmus<Two> dekker;
  dekker.threads = {[](Two& t) {
                      t.x.store(1, release);
                      t.seen[0] = t.y.load(acquire);
                    },
                    [](Two& t) {
                      t.y.store(1, release);
                      t.seen[1] = t.x.load(acquire);
                    }};
  EXPECT_EQ(results(dekker), (Pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(CheckedWorld, AFenceOrdersStoresBeforeLoads) {
  Litmus<Two> dekker;
  dekker.threads = {[](Two& t) {
                      t.x.store(1, release);
                      W::fence();
                      t.seen[0] = t.y.load(acquire);
                    },
                    [](Two& t) {
                      t.y.store(1, release);
                      W::fence();
                      t.seen[1] = t.x.load(acquire);
                    }};
  EXPECT_EQ(results(dekker), (Pairs{{0, 1}, {1, 0}, {1, 1}}));
}

TEST(CheckedWorld, AFenceOnOneSideIsNotEnough) {
  Litmus<Two> dekker;
  dekker.threads = {[](Two& t) {
                      t.x.store(1, release);
                      W::fence();
                      t.seen[0] = t.y.load(acquire);
                    },
                    [](Two& t) {
                      t.y.store(1, release);
                      t.seen[1] = t.x.load(acquire);
                    }};
  EXPECT_TRUE(results(dekker).contains({0, 0}));
}

TEST(CheckedWorld, SequentiallyConsistentStoresFence) {
  Litmus<Two> dekker;
  dekker.threads = {[](Two& t) {
                      t.x.store(1);
                      t.seen[0] = t.y.load();
                    },
                    [](Two& t) {
                      t.y.store(1);
                      t.seen[1] = t.x.load();
                    }};
  EXPECT_EQ(results(dekker), (Pairs{{0, 1}, {1, 0}, {1, 1}}));
}

TEST(CheckedWorld, StoresStayInOrder) {
  Litmus<Two> message;
  message.threads = {[](Two& t) {
                       t.x.store(1, relaxed);
                       t.y.store(1, relaxed);
                     },
                     [](Two& t) {
                       t.seen[0] = t.y.load(relaxed);
                       t.seen[1] = t.x.load(relaxed);
                     }};
  EXPECT_EQ(results(message), (Pairs{{0, 0}, {0, 1}, {1, 1}}));  // not {1, 0}
}

TEST(CheckedWorld, AThreadSeesItsOwnStores) {
  Litmus<Two> own;
  own.threads = {[](Two& t) {
                   t.x.store(1, relaxed);
                   t.seen[0] = t.x.load(relaxed);
                   t.seen[1] = t.y.load(relaxed);
                 },
                 [](Two& t) {
                   t.y.store(1, relaxed);
                   t.x.store(2, relaxed);
                 }};
  EXPECT_EQ(results(own), (Pairs{{1, 0}, {1, 1}, {2, 1}}));
}

TEST(CheckedWorld, ReadModifyWritesLoseNothing) {
  struct Counter {
    W::Atomic<u64> count{0};
  };
  Litmus<Counter> good, bad;
  for (int i = 0; i < 3; ++i) {
    good.threads.push_back([](Counter& c) { c.count.fetch_add(1, relaxed); });
    bad.threads.push_back([](Counter& c) { c.count.store(c.count.load(relaxed) + 1, relaxed); });
  }
  good.end = bad.end = [](Counter& c) {
    if (c.count.load() != 3) Engine::instance().fail("an increment was lost");
  };
  EXPECT_FALSE(check(good).finding);
  Report report = check(bad);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->what, "an increment was lost");
  EXPECT_LE(report.finding->preemptions, 1u);
}

// The search tries bounds on preemptions from zero up, so it finds a fault in a schedule with the fewest preemptions.
TEST(CheckedWorld, BoundsAreTriedFromBelow) {
  Litmus<Two> late;
  // The assertion fails only if thread B runs between the two loads of thread A, and thread C between the two loads of
  // thread B.
  late.threads = {[](Two& t) {
                    u64 before = t.x.load(relaxed);
                    if (t.x.load(relaxed) != before) t.seen[0] = 1;
                  },
                  [](Two& t) {
                    u64 before = t.y.load(relaxed);
                    t.x.fetch_add(1, relaxed);
                    if (t.y.load(relaxed) != before) t.seen[1] = 1;
                  },
                  [](Two& t) { t.y.fetch_add(1, relaxed); }};
  late.end = [](Two& t) {
    if (t.seen[0] + t.seen[1] == 2) Engine::instance().fail("both were disturbed");
  };
  Report report = check(late);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->preemptions, 2u);
  EXPECT_FALSE(check(late, 1).finding.has_value() && check(late, 1).finding->preemptions < 2);
}

TEST(CheckedWorld, RacesOnPlainCellsAreReported) {
  struct Box {
    W::Plain<u64> value;
    W::Atomic<u64> flag{0};
  };
  auto writer = [](std::memory_order order) {
    return [order](Box& b) {
      b.value.set(7);
      b.flag.store(1, order);
    };
  };
  auto reader = [](std::memory_order order) {
    return [order](Box& b) {
      if (b.flag.load(order) == 1 && b.value.get() != 7) Engine::instance().fail("stale");
    };
  };
  Litmus<Box> good, no_release, no_acquire;
  good.threads = {writer(release), reader(acquire)};
  no_release.threads = {writer(relaxed), reader(acquire)};
  no_acquire.threads = {writer(release), reader(relaxed)};
  EXPECT_FALSE(check(good).finding);
  for (auto* bad : {&no_release, &no_acquire}) {
    Report report = check(*bad);
    ASSERT_TRUE(report.finding);
    EXPECT_NE(report.finding->what.find("a race"), std::string::npos);
  }
}

TEST(CheckedWorld, LostWakeUpsAreFound) {
  // One thread announces that it sleeps, reads the flag, and parks. The other thread sets the flag, and then reads
  // whether the first thread sleeps. Without fences, both threads may read old values.
  struct Bell {
    W::Atomic<u64> rung{0}, sleeping{0};
  };
  auto sleeper = [](bool fenced) {
    return [fenced](Bell& b) {
      b.sleeping.store(1, relaxed);
      if (fenced) W::fence();
      while (b.rung.load(acquire) == 0) Engine::instance().park(0, forever, checked::Where::current());
    };
  };
  auto ringer = [](bool fenced) {
    return [fenced](Bell& b) {
      b.rung.store(1, release);
      if (fenced) W::fence();
      if (b.sleeping.load(acquire) != 0) Engine::instance().unpark(0, checked::Where::current());
    };
  };
  Litmus<Bell> good, bad;
  good.spurious = bad.spurious = 1;
  good.threads = {sleeper(true), ringer(true)};
  bad.threads = {sleeper(true), ringer(false)};
  EXPECT_FALSE(check(good).finding);
  Report report = check(bad);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->what, "A is parked, and nobody will wake it");
  // Replaying the schedule finds the fault again, without a search.
  EXPECT_EQ(checked::replay(bad, report.finding->schedule).what, report.finding->what);
  EXPECT_NE(report.finding->script.find("b.rung.store(1, release)"), std::string::npos) << report.finding->script;
}

TEST(CheckedWorld, TimeoutsHappenAndDoNotHaveTo) {
  struct TimedPark {
    int how[2] = {};
  };
  std::set<int> seen;
  Litmus<TimedPark> timed_park;
  timed_park.threads = {
      [](TimedPark& n) { n.how[0] = Engine::instance().park(0, 1000, checked::Where::current()) ? 1 : 2; },
      [](TimedPark&) { Engine::instance().unpark(0, checked::Where::current()); }};
  timed_park.end = [&](TimedPark& n) { seen.insert(n.how[0]); };
  EXPECT_FALSE(check(timed_park).finding);
  EXPECT_EQ(seen, (std::set<int>{1, 2}));
}

TEST(CheckedWorld, DeadlocksOfMutexesAreFound) {
  struct Pair {
    W::Mutex a, b;
  };
  Litmus<Pair> crossed, ordered;
  auto both = [](W::Mutex& first, W::Mutex& second) {
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  };
  ordered.threads = {[&](Pair& p) { both(p.a, p.b); }, [&](Pair& p) { both(p.a, p.b); }};
  crossed.threads = {[&](Pair& p) { both(p.a, p.b); }, [&](Pair& p) { both(p.b, p.a); }};
  EXPECT_FALSE(check(ordered).finding);
  Report report = check(crossed);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->what, "A waits for a mutex; B waits for a mutex");
}

TEST(CheckedWorld, SpinningEndsAndWaitingForNothingIsFound) {
  Litmus<Two> flag, never;
  auto waits = [](Two& t) {
    while (!W::spin_until(t.x, [](u64 seen) { return seen != 0; }, 100)) {
    }
  };
  flag.threads = {waits, [](Two& t) { t.x.store(1, release); }};
  never.threads = {waits, [](Two& t) { t.y.store(1, release); }};
  EXPECT_FALSE(check(flag).finding);
  Report report = check(never);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->what, "A spins for ever");
}

TEST(CheckedWorld, FreedMemoryIsGuarded) {
  struct Node {
    W::Atomic<u64> value{3};
  };
  struct Shared {
    W::Atomic<Node*> node{nullptr};
  };
  Litmus<Shared> early;
  early.threads = {[](Shared& s) {
                     if (Node* node = s.node.load(acquire)) node->value.load(relaxed);
                   },
                   [](Shared& s) {
                     Node* node = W::allocate<Node>();
                     s.node.store(node, release);
                     s.node.store(nullptr, release);
                     W::retire(node);
                   }};
  Report report = check(early);
  ASSERT_TRUE(report.finding);
  EXPECT_NE(report.finding->what.find("used after it was freed"), std::string::npos);
}

TEST(CheckedWorld, FutexesSleepOnlyWhileTheCellHoldsWhatWasExpected) {
  struct Gate {
    W::Atomic<i32> open{0};
  };
  auto waiter = [](Gate& g) {
    while (g.open.load(acquire) == 0) W::wait_on(g.open, 0, forever);
  };
  Litmus<Gate> good, silent;
  good.threads = {waiter, [](Gate& g) {
                    g.open.store(1, release);
                    W::wake(g.open, 1);
                  }};
  silent.threads = {waiter, [](Gate& g) { g.open.store(1, release); }};
  EXPECT_FALSE(check(good).finding);
  EXPECT_TRUE(check(silent).finding);
}

// The checker's reductions must not hide an outcome, so the test compares the number of final states with a calculated
// number.
TEST(CheckedWorld, AllOrdersOfThreeWritersAreSeen) {
  Litmus<Two> writers;
  std::set<u64> last;
  for (u64 i = 1; i <= 3; ++i) {
    writers.threads.push_back([i](Two& t) {
      u64 before = t.x.exchange(i, relaxed);
      t.seen[i] = before;
    });
  }
  writers.end = [&](Two& t) { last.insert(t.seen[1] * 100 + t.seen[2] * 10 + t.seen[3]); };
  Report report = check(writers);
  EXPECT_FALSE(report.finding);
  EXPECT_EQ(report.bound, Report::unbounded);
  EXPECT_EQ(last.size(), 6u);  // one for each order
}

}  // namespace
}  // namespace keyhole::test
