// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for the next schedule to execute.
//
//   while (strategy.next(schedule)) strategy.learn(engine.run(schedule));
//
// The bounded search executes all schedules without a preemption, then those with one preemption, two, and so on
// (Musuvathi, Qadeer, PLDI 2007). The children of an execution have one more deviation from the default policy, at a
// choice after the execution's last deviation.
//
//   script      0 --- 1 --- 2 --- 3 --- 4      events that are choices
//                           ^ its last deviation
//   children                      3: another strand       4: another strand
//
// B1: each schedule with a deviation is the child of exactly one other schedule, namely the one without its last
//     deviation. So each schedule is executed once.
// B2: choosing another strand is no preemption if the running strand cannot continue, has used up its share, or yields.
//     Choosing the running strand again counts as a preemption if it has used up its share or yields.
// B3: there is one queue for each number of preemptions, and a child waits in the queue for its number. When the queues
//     up to k are empty, all schedules with at most k preemptions have been executed. When all queues are empty, all
//     schedules have been executed.
// B4: first deviations are numbered. A shard executes the schedules whose first deviation's number is the shard's
//     number modulo the number of shards. Shard 0 also executes the schedule without a deviation. So together the
//     shards execute each schedule once, provided that all of them switch threads at the same places.
// B5: with the Java memory model, seeing an older write than the last visible one is a deviation, too, and counts as a
//     preemption. At one event it comes after the choice of the strand.
#pragma once

#include <optional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

class Bounded {
 public:
  static constexpr u32 unlimited = UINT32_MAX;
  explicit Bounded(u32 bound, u32 shard = 0, u32 shards = 1) : bound_(bound), shard_(shard), shards_(shards) {
    restart();
  }

  // Restarts the search, because more places have become choice points.
  void restart();
  // Provides the next schedule to execute. Returns false if there is none within the bound.
  bool next(Schedule& schedule);
  void learn(const Execution& execution);

  bool is_complete() const;  // B3: all queues are empty
  // Returns the largest k for which all schedules with at most k preemptions were executed.
  std::optional<u32> finished_bound() const;
  u32 current_bound() const { return level_; }
  u64 executed() const { return executed_; }
  bool has_overflown() const { return nodes_.size() >= max_nodes; }

 private:
  static constexpr usize max_nodes = 1u << 26;
  struct Node {
    u32 parent;  // none: the root
    Step step;
  };
  static constexpr u32 none = UINT32_MAX;

  u32 bound_, shard_, shards_;
  std::vector<Node> nodes_;
  std::vector<std::vector<u32>> queues_;  // by the number of preemptions
  u32 level_ = 0;
  u32 current_ = none;
  bool has_begun_ = false, is_running_ = false;
  u64 executed_ = 0;
};

}  // namespace keyhole::explore
