// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompileCost: estimates what a lowered function will cost to compile: a constant, plus a time for each node. The time
// for a node is the average of the functions compiled before, because LLVM's code generation, which is most of the
// cost, takes time in proportion to the size of the function. For the first function it includes opening the plug-in,
// unless that has been done in advance (compile_budget.h P13).
#pragma once

#include <algorithm>
#include <atomic>

#include "jit/graph/low/low_graph.h"

namespace keyhole::optimised {

class CompileCost {
 public:
  // A back end's time for each function, and its time for each node until functions have been compiled, in nanoseconds.
  struct Rates {
    i64 for_each, for_each_node;
  };
  static constexpr Rates llvm{2'000'000, 20'000}, middle{40'000, 1'000};
  explicit CompileCost(Rates rates) : rates_(rates) {}

  // The cost of a function of `nodes` nodes, in nanoseconds.
  i64 of(usize nodes) const {
    return rates_.for_each + for_each_node_.load(std::memory_order_relaxed) * static_cast<i64>(nodes);
  }
  // Learns from a function that was compiled in `nanoseconds`. Call it for one function at a time.
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
