// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompileCost: estimates the time to compile a lowered function as a constant plus a time per node. Most of the time is
// spent in LLVM's code generation, whose time is proportional to the function's size. So the time per node is the
// average over the functions compiled before. CodeGenerator::cost_of adds the time to open the plug-in if the plug-in
// is not open yet (compile_budget.h P13).
#pragma once

#include <algorithm>
#include <atomic>

#include "jit/graph/low/low_graph.h"

namespace keyhole::optimised {

class CompileCost {
 public:
  // The compile times of a back end in nanoseconds: a constant time per function, and a first estimate of the time per
  // node.
  struct Rates {
    i64 for_each, for_each_node;
  };
  static constexpr Rates llvm{2'000'000, 20'000}, middle{40'000, 1'000};
  explicit CompileCost(Rates rates) : rates_(rates) {}

  // Estimates the time in nanoseconds to compile a function of `nodes` nodes.
  i64 of(usize nodes) const {
    return rates_.for_each + for_each_node_.load(std::memory_order_relaxed) * static_cast<i64>(nodes);
  }
  // Updates the estimated time per node after `function` was compiled in `nanoseconds`. Only one thread at a time may
  // call learn().
  void learn(const low::Function& function, i64 nanoseconds) {
    nodes_ += static_cast<i64>(function.nodes.size());
    spent_ += std::max<i64>(nanoseconds - rates_.for_each, 0);
    for_each_node_.store(spent_ / nodes_, std::memory_order_relaxed);
  }

 private:
  static constexpr i64 nodes_of_first_estimate = 1000;

  const Rates rates_;
  i64 nodes_ = nodes_of_first_estimate, spent_ = rates_.for_each_node * nodes_of_first_estimate;
  std::atomic<i64> for_each_node_{rates_.for_each_node};
};

}  // namespace keyhole::optimised
