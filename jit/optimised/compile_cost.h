// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to compile a lowered function, before it is compiled: so much for each, and for each of its nodes, as
// has been measured of those before it. Most of it is LLVM's code generation, which takes time for what there is, and
// not for what is difficult. The first one pays for opening the plug-in, unless that has been done in advance (P13 of
// the tier policy): a program that has only something cheap to compile does without 25 MB of LLVM.
#pragma once

#include <algorithm>
#include <atomic>

#include "jit/graph/low/low_graph.h"

namespace keyhole::optimised {

class CompileCost {
 public:
  // Of a function of so many nodes.
  i64 of(usize nodes) const {
    return for_each + for_each_node_.load(std::memory_order_relaxed) * static_cast<i64>(nodes);
  }
  // One thread at a time.
  void learn(const low::Function& function, i64 nanoseconds) {
    nodes_ += static_cast<i64>(function.nodes.size());
    spent_ += std::max<i64>(nanoseconds - for_each, 0);
    for_each_node_.store(spent_ / nodes_, std::memory_order_relaxed);
  }

 private:
  static constexpr i64 for_each = 2'000'000;
  static constexpr i64 first_estimate = 20'000, nodes_of_first_estimate = 1000;

  i64 nodes_ = nodes_of_first_estimate, spent_ = first_estimate * nodes_of_first_estimate;
  std::atomic<i64> for_each_node_{first_estimate};
};

}  // namespace keyhole::optimised
