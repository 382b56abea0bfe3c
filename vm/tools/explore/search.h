// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for the next schedule to execute.
//
//   while (strategy.next(schedule)) strategy.learn(engine.run(schedule));
//
// bounded: all schedules with no preemption, then those with one, two ... (Musuvathi, Qadeer, PLDI 2007). From an
// execution its children follow: one more deviation, at a choice after its last one.
//
//   script      0 --- 1 --- 2 --- 3 --- 4      events that are choices
//                           ^ its last deviation
//   children                      3: another strand       4: another strand
//
// B1: each schedule is the child of exactly one other, the one without its last deviation. So each is executed once.
// B2: to take another strand where the running one cannot go on, has had its share or yields is no preemption. To go on
//     with one that has had its share or yields counts as one.
// B3: a child waits in the queue of its number of preemptions. When the queues up to k are empty, all schedules with at
//     most k preemptions have been executed; when all are, all schedules have.
// B4: a shard executes the schedules whose first deviation has a number that is its own modulo the number of shards.
//     Shard 0 also executes the one without a deviation. So the shards of a tree execute each schedule once, if they
//     have the same places at which schedules change.
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

  // Begins again, because more places are choices.
  void restart();
  // False: there is none within the bound.
  bool next(Schedule& schedule);
  void learn(const Execution& execution);

  bool is_complete() const;  // B3: nothing waits in any queue
  // The largest k for which all schedules with at most k preemptions were executed.
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
