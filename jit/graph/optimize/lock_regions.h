// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Locked regions: the parts of a graph in which a monitor is held.
//
//     monitor_enter n1        region 0, of n1
//       monitor_enter n2        region 1, of n2, in region 0
//       monitor_exit n2
//     monitor_exit n1
//
// The analysis walks over the blocks with a stack of the regions that each block is in. Where two paths merge, the
// regions at the same depth of their stacks become one. So a region may have several enters, and has an exit on each
// path out of it.
//
// L1: a graph's monitors are nested: monitor_exit and release release the innermost one. After a branch on a release,
//     the monitor is released on the first path and still held on the second.
// L2: a frame state lists the monitors that the code holds, in the order of nesting. Three kinds differ: the code has
//     not entered eliminated levels (HeldLock::is_eliminated) and monitors of virtual objects (frame_state.h S8), and
//     the frames have released a coarsened lock (FrameState::coarsened_lock).
#pragma once

#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct LockRegion {
  Node* object = nullptr;  // the locked object; null if the region's enters and exits name the object by several nodes
  std::vector<Node*> enters;     // lock_method, held_monitor and monitor_enter nodes
  std::vector<Node*> exits;      // monitor_exit and release nodes
  std::vector<HeldLock*> locks;  // the HeldLocks that stand for this region in frame states
  std::vector<u32> around;       // numbers of the enclosing regions, outermost first
  bool enters_others = false;    // whether a monitor_enter of another region lies in this region
  bool has_calls = false;        // whether a call lies in this region
};

class LockRegions {
 public:
  explicit LockRegions(const Graph& graph);

  // Whether the graph keeps rules L1 and L2. If the graph breaks one of them, all other results of LockRegions are
  // invalid.
  bool are_known() const { return are_known_; }
  // All regions, by number. A region that was merged into another one has no enters.
  const std::vector<LockRegion>& all() const { return regions_; }
  // Returns the number of the region to which the enter or exit belongs.
  u32 region_of(const Node* node) const { return find(of_node_[node->id]); }

 private:
  using Stack = std::vector<u32>;  // numbers of regions, outermost first
  static constexpr u32 none = ~u32{0};

  u32 find(u32 region) const;
  void walk(const Graph& graph);
  void pass(const Block* block, Stack& stack);
  void enter(Node* node, Stack& stack);
  void exit(Node* node, Stack& stack);
  void note_state(const Node* node, const Stack& stack);
  void go_to(const Block* block, const Stack& stack);
  void merge(u32 a, u32 b);
  void describe(const Graph& graph);

  // by region: the region into which this region was merged, or this region itself if it was not merged
  std::vector<u32> parents_;
  std::vector<u32> of_node_;  // by node id of an enter or exit: the region of the node
  std::vector<LockRegion> regions_;
  std::vector<Stack> enters_in_;  // the regions around each enter
  std::vector<Stack> calls_in_;   // the regions around each call
  std::vector<Stack> at_begin_;   // the regions around each block's first node
  std::vector<bool> is_reached_;
  bool are_known_ = true;
};

}  // namespace keyhole::graph
