// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): one
// execution for each order of the operations that conflict.
//
//   node     0 --- 1 --- 2 --- 3 --- 4 --- 5        the events of the last execution
//                        ^ a: x = 1        ^ b: x = 2      conflict, and nothing else orders them: a race
//            at node 2 a strand is tried that can begin the order in which b comes before a
//
// D1: every event is a node, so a strand can be switched at any event, and places need not be known before.
// D2: a race is a pair of conflicting events of two strands such that the clock of the later strand, before the later
//     event, does not cover the earlier event. Of the operations on a monitor only enters count as races.
// D3: the order to try is v: the events after the earlier one that do not come after it by happens-before, then the
//     later event. Its initials are the strands whose first event in v has no predecessor in v. If none of them is
//     tried at the earlier event's node, one is added.
// D4: a strand that was tried at a node sleeps in the executions that are tried there later, until an event conflicts
//     with its operation. An execution in which only sleeping strands can go on is redundant, and ends.
// D5: an initial that waits for a held lock cannot go on at the node. If no initial can, every strand that can go on is
//     tried, so an order may be executed twice.
// D6: interrupts and time limits are outside of this theory: an execution with one of them makes the end no proof.
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
    u64 tried = 0;                  // strands that were tried here, the event's own included
    u64 wanted = 0;                 // backtracking set
    std::vector<Sleeper> sleepers;  // the sleep set when the node was first reached
    std::vector<Sleeper> finished;  // the operations of the strands that were tried
  };

  void extend(const Execution& execution);
  void find_races(u32 first);
  void want_initial(u32 earlier, u32 later);

  std::vector<Node> nodes_;
  std::vector<std::vector<u32>> clocks_;  // by event: for each strand, one more than its last covered event
  u32 branch_ = 0;                        // the node at which the running execution deviates
  u32 strands_ = 0;
  bool has_begun_ = false, is_over_ = false, has_overflown_ = false, is_outside_ = false;
  u64 executed_ = 0;
};

}  // namespace keyhole::explore
