// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The collector's work-stealing queue and its termination protocol under the model checker.
//
// Entries are numbers of Plain cells. A thread that gets an entry adds 1 to the entry's cell. If two threads get one
// entry, the checker finds a race or a count other than 1. The count of a lost entry is 0. If a thief gets an entry
// without seeing the writes before the push of that entry, the checker finds a race.
#include "gc/terminator.h"
#include "gc/work_queue.h"
#include "runtime/base/platform/checked_world.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

// A mutant of this file is linked into the same program. Because each of the two files has its own type W, the
// templates over W differ.
struct W : CheckedWorld {};

template <u32 capacity, u32 items> struct Stealing {
  gc::WorkQueueOf<W, capacity> queue;
  W::Plain<u32> taken[items];
  W::Atomic<u32> total{0};

  void take(u64 entry) {
    if (entry == 0) return;
    taken[entry - 1].set(taken[entry - 1].get() + 1);
    total.fetch_add(1, std::memory_order_relaxed);
  }
  void push(u32 item) {
    taken[item].set(0);  // the push that follows publishes this write
    if (!queue.push(item + 1)) take(item + 1);
  }
  void finish() {
    expect(total.load() == items, "an entry was lost, or taken twice");
    for (u32 i = 0; i < items; ++i) expect(taken[i].get() == 1, "an entry was not taken once");
  }
};

// The owner of the queue pushes and pops, and thieves steal.
template <u32 thieves> struct PushPopSteal : Stealing<4, 3> {
  void run(u32 thread) {
    if (thread != 0) {
      take(queue.steal());
      take(queue.steal());
      return;
    }
    push(0);
    push(1);
    take(queue.pop());
    push(2);
    while (u64 entry = queue.pop()) take(entry);
  }
};
// The ring buffer wraps around while a thief is about to take an entry.
struct Wrapping : Stealing<2, 4> {
  void run(u32 thread) {
    if (thread != 0) {
      take(queue.steal());
      take(queue.steal());
      return;
    }
    for (u32 item = 0; item < 4; ++item) push(item);
    while (u64 entry = queue.pop()) take(entry);
  }
};

// Each worker has a queue. An entry adds further entries. All entries must be processed before the terminator reports
// the end.
template <u32 workers, u32 items> struct Terminating {
  gc::WorkQueueOf<W, 4> queues[workers];
  gc::TerminatorOf<W> terminator;
  W::Plain<u32> done[items];

  Terminating() {
    terminator.reset(workers);
    queues[0].push(1);
  }
  void process(u32 self, u64 entry) {
    done[entry - 1].set(done[entry - 1].get() + 1);
    // The entries form a binary tree: entry n adds the entries 2n and 2n + 1.
    for (u64 child : {2 * entry, 2 * entry + 1}) {
      if (child > items) continue;
      expect(queues[self].push(child), "the queue is too small");
      terminator.announce();
    }
  }
  bool others_have_work(u32 self) {
    for (u32 i = 0; i < workers; ++i) {
      if (i != self && !queues[i].looks_empty()) return true;
    }
    return false;
  }
  void run(u32 self) {
    for (;;) {
      while (u64 entry = queues[self].pop()) process(self, entry);
      u64 stolen = 0;
      for (u32 i = 1; i < workers && stolen == 0; ++i) stolen = queues[(self + i) % workers].steal();
      if (stolen != 0) {
        process(self, stolen);
        continue;
      }
      if (terminator.offer([&] { return others_have_work(self); })) break;
    }
    expect(!others_have_work(self), "terminated with work left");
  }
  void finish() {
    for (u32 i = 0; i < items; ++i) expect(done[i].get() == 1, "an entry was not done once");
  }
};

constexpr u64 states = 400'000;

constexpr ProtocolCheck stealing_checks[] = {
    {"steal-one-thief", "an owner pushes three entries and pops, a thief steals", program<PushPopSteal<1>, 2>},
    {"steal-two-thieves", "the same with two thieves", program<PushPopSteal<2>, 3>},
    {"steal-wrapping", "a ring of two cells is overwritten while a thief is at it", program<Wrapping, 2>},
};
MODEL_PROTOCOL("steal", "the work-stealing queue of the collector", stealing_checks, states);

constexpr ProtocolCheck termination_checks[] = {
    {"terminate-two", "two workers share a tree of three entries and agree that it is done",
     program<Terminating<2, 3>, 2>},
    {"terminate-three", "three workers, of whom most find nothing", program<Terminating<3, 2>, 3>},
    {"terminate-spurious", "two workers, with a wake-up for no reason", program<Terminating<2, 2>, 2, 1>},
};
MODEL_PROTOCOL("terminate", "termination of the collector's workers", termination_checks, states);

}  // namespace
}  // namespace keyhole::model
