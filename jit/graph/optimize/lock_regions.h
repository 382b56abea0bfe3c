// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a graph holds which monitors: its locked regions.
//
//     monitor_enter n1        region 0, of n1
//       monitor_enter n2        region 1, of n2, in region 0
//       monitor_exit n2
//     monitor_exit n1
//
// A walk over the blocks with the stack of what is held there. Where paths meet, the regions of both are one: a region
// has several enters, and as many exits as there are ways out of it.
//
// L1: monitors of a graph are nested: monitor_exit and release give back the innermost. Behind a branch on a release it
//     is given back on the first way, on the second it is still held.
// L2: a state holds what the graph holds there, from the outermost frame in, but for what it says itself
//     (HeldLock::is_eliminated, State::coarsened_lock), and for monitors of virtual objects (S8).
#pragma once

#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct LockRegion {
  Node* object = nullptr;                // null: of several values, which the paths agree on
  std::vector<Node*> enters;             // lock_method, held_monitor, monitor_enter
  std::vector<Node*> exits;              // monitor_exit, release
  std::vector<HeldLock*> locks;          // of states
  std::vector<u32> around;               // regions, outermost first
  bool enters_others = false;            // a monitor_enter of another region, in it
  bool has_calls = false;                // in it
};

class LockRegions {
 public:
  explicit LockRegions(const Graph& graph);

  // False: L1 or L2 does not hold. Nothing else may be asked then.
  bool are_known() const { return are_known_; }
  // By number; merged ones have no enters.
  const std::vector<LockRegion>& all() const { return regions_; }
  // Of an enter or exit.
  u32 region_of(const Node* node) const { return find(of_node_[node->id]); }

 private:
  using Stack = std::vector<u32>;        // regions, outermost first
  static constexpr u32 none = ~u32{0};

  u32 find(u32 region) const;
  void walk(const Graph& graph);
  void pass(const Block* block, Stack& stack);
  void enter(Node* node, Stack& stack);
  void leave(Node* node, Stack& stack);
  void note_state(const Node* node, const Stack& stack);
  void go_to(const Block* block, const Stack& stack);
  void merge(u32 a, u32 b);
  void describe(const Graph& graph);

  std::vector<u32> parents_;             // of regions, as merged
  std::vector<u32> of_node_;             // by id
  std::vector<LockRegion> regions_;
  std::vector<Stack> enters_in_;         // of each enter: what is around it
  std::vector<Stack> calls_in_;          // of each call
  std::vector<Stack> at_begin_;          // by block
  std::vector<bool> is_reached_;
  bool are_known_ = true;
};

}  // namespace keyhole::graph
