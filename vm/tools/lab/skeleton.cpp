// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has the text of the file for a new lock.
#include "vm/tools/lab/skeleton.h"

#include "runtime/base/types.h"

namespace keyhole::lab {

namespace {

constexpr std::string_view text = R"(// NAME: a lock for Java's `synchronized`, to start from. Try it:
//
//   keyhole lock check NAME.h                       every interleaving of a few threads
//   keyhole lock simulate NAME.h --cpus 72          throughput and fairness on a simulated machine
//   keyhole lock bench NAME.h                       the same on this machine
//   keyhole -XX:LockingMode=./NAME.h Main.java      a program under it
//
// This one is a test-and-set lock: whoever changes `taken` from 0 to 1 has the lock. It is simple and unfair.
#include <keyhole/lock.h>

template <typename W> struct NAME {
  KEYHOLE_CORE(W)  // names: Thread, Atomic<T>, relaxed, acquire, release, acq_rel, seq_cst

  // The memory that a thread lends to the lock for one acquisition: nodes of queues, gates. Other threads may read it.
  struct Node {
    typename lab::Crowd<W>::Place place;
  };
  // Values that the thread keeps from arrive to depart. No other thread reads them.
  struct Held {};

  // The state of the lock. An object that threads synchronize on has one of these.
  Atomic<u32> taken{0};
  Atomic<u32> waiting{0};
  lab::Crowd<W> crowd;  // the threads that sleep

  // Announces the thread, and never blocks. Returns true if the thread has the lock already.
  bool arrive(Thread*, Node&, Held&) {
    if (taken.cas(0, 1, acq_rel)) return true;
    waiting.fetch_add(1, relaxed);
    return false;
  }
  // Called if arrive() returned false. Returns when the thread has the lock. This is the only function that may put the
  // thread to sleep. It must use lab::Crowd or lab::Gate to do so.
  void await(Thread* self, Node& node, Held&) {
    do crowd.await(self, node.place, taken, [](u32 seen) { return seen == 0; });
    while (!taken.cas(0, 1, acq_rel));
    waiting.fetch_sub(1, relaxed);
  }
  // Releases the lock, and wakes the thread that may take it next.
  void depart(Thread* self, Node&, Held&) {
    taken.store(0, release);
    crowd.changed(self);
  }
  // Returns true if no thread is between its arrive and its depart. Called while all threads are stopped.
  bool is_free() const { return taken.load(relaxed) == 0 && waiting.load(relaxed) == 0; }
};
KEYHOLE_LOCK(NAME, .idea = "test and set", .fairness = "none: whoever looks first");
)";

}  // namespace

std::string skeleton(std::string_view name) {
  std::string filled;
  for (std::string_view rest = text; !rest.empty();) {
    usize at = rest.find("NAME");
    filled += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    filled += name;
    rest.remove_prefix(at + 4);
  }
  return filled;
}

}  // namespace keyhole::lab
