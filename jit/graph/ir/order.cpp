// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes reverse postorder, and dominators by intersection until nothing changes (Cooper, Harvey, Kennedy 2001).
#include "jit/graph/ir/order.h"

#include <algorithm>

namespace keyhole::graph {

std::vector<u32> reverse_postorder(const std::vector<std::vector<u32>>& successors, u32 entry) {
  struct Visit {
    u32 vertex;
    usize next;
  };
  std::vector<u32> order;
  std::vector<bool> is_seen(successors.size());
  std::vector<Visit> path{{entry, successors[entry].size()}};
  is_seen[entry] = true;
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next == 0) {
      order.push_back(visit.vertex);
      path.pop_back();
      continue;
    }
    u32 successor = successors[visit.vertex][--visit.next];  // visits the successors from the last to the first
    if (is_seen[successor]) continue;
    is_seen[successor] = true;
    path.push_back({successor, successors[successor].size()});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<u32> immediate_dominators(const std::vector<std::vector<u32>>& predecessors) {
  constexpr u32 unknown = ~u32{0};
  std::vector<u32> dominators(predecessors.size(), unknown);
  dominators[0] = 0;
  auto common = [&](u32 a, u32 b) {
    while (a != b) {
      while (a > b) a = dominators[a];
      while (b > a) b = dominators[b];
    }
    return a;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (u32 vertex = 1; vertex < predecessors.size(); ++vertex) {
      u32 found = unknown;
      for (u32 predecessor : predecessors[vertex]) {
        if (dominators[predecessor] == unknown) continue;
        found = found == unknown ? predecessor : common(found, predecessor);
      }
      if (found != dominators[vertex]) {
        dominators[vertex] = found;
        changed = true;
      }
    }
  }
  return dominators;
}

bool dominates(const std::vector<u32>& dominators, u32 above, u32 below) {
  while (below > above) below = dominators[below];
  return below == above;
}

}  // namespace keyhole::graph
