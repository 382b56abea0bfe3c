// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014). It
// executes the program once for each order of its conflicting operations.
//
//   node     0 --- 1 --- 2 --- 3 --- 4 --- 5        the events of the last execution
//                        ^ a: x = 1        ^ b: x = 2      conflict, and nothing else orders them: a race
//            at node 2 a strand is tried that can begin the order in which b comes before a
//
// D1: every event is a node. So the search can switch strands at any event, and need not know in advance where accesses
//     race.
// D2: a race is a pair of conflicting events of two strands where the later strand's vector clock, just before the
//     later event, does not cover the earlier event. Of the operations on a monitor, only enters can race.
// D3: to reverse a race, the search builds the sequence v: the events after the earlier event that do not happen after
//     it, then the later event. The initials of v are the strands whose first event in v has no predecessor in v. If no
//     initial is in the backtracking set of the earlier event's node, one is added.
// D4: after a strand was tried at a node, it sleeps in the later executions from that node, until an event conflicts
//     with its operation. An execution in which only sleeping strands can run is redundant, and is ended.
// D5: an initial that waits for a held lock cannot run at the node. If no initial can run, the search tries every
//     strand that can, so it may execute an order twice.
// D6: the theory does not cover interrupts and time limits. If an execution has one, a finished search is no proof.
// D7: with store buffers, a buffer is a strand whose events are flushes (Zhang, Kusano, Wang, PLDI 2015). A flush
//     happens after its store, and the thread's operations that drain the buffer happen after the flush. A store itself
//     conflicts with nothing. When a place is found to race, its stores enter buffers, so the search restarts.
// D8: with the Java memory model (runtime/base/controlled/write_histories.h), an execution in which a read sees an
//     older write is a sibling of the one in which it sees the last write. A node is left when each strand that is
//     wanted was tried, and each of its reads has seen each visible write. Which writes these are depends on the
//     strand's own events and on the writes of the location alone, so sleep sets need no change.
#pragma once

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

class Dpor {
 public:
  // False: the search is over.
  bool next(Schedule& schedule);
  void learn(const Execution& execution);

  bool is_complete() const { return has_begun_ && is_over_ && !has_overflown_ && !is_outside_; }
  u64 executed() const { return executed_; }  // without the redundant ones

 private:
  using Sleeper = controlled::Sleeper;
  struct Node {
    Event event{};
    controlled::StrandSet tried = 0;   // strands that were tried at this node, including the strand of `event`
    controlled::StrandSet wanted = 0;  // backtracking set
    std::vector<Sleeper> sleepers;     // the sleep set when the search first reached this node
    std::vector<Sleeper> finished;     // for each strand that was tried at this node: its operation
  };

  void extend(const Execution& execution);
  void find_races(u32 first);
  void want_initial(u32 earlier, u32 later);

  std::vector<Node> nodes_;
  // vector clock of each event: for each strand, one more than the index of its last covered event
  std::vector<std::vector<u32>> clocks_;
  u32 branch_ = 0;  // the node at which the running execution deviates from the last one
  u32 strands_ = 0;
  bool has_begun_ = false, is_over_ = false, has_overflown_ = false, is_outside_ = false;
  bool has_buffers_ = false;
  u64 executed_ = 0;
};

}  // namespace keyhole::explore
