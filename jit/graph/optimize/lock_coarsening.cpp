// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lock coarsening: locked regions of one object that follow each other closely become one (-XX:EliminateLocks).
//
//     monitor_enter n1                          monitor_enter n1
//     ...                                       ...
//     monitor_exit n1                   ──>
//     guard n5 @3                               guard n5 @3 coarsened n1
//     monitor_enter n1
//     ...                                       ...
//     monitor_exit n1                           monitor_exit n1
//
// The code between two regions may have several blocks. All paths to the second region's enter must come from exits of
// the object's monitor, and all paths from these exits must lead to that enter or deoptimize.
//
// C1: deoptimization between the regions releases the monitor first. So the interpreter executes nothing, and no
//     safepoint is reached, under a monitor that the frames do not hold.
// C2: the code between the regions is short, and has no call, loop, poll or array copy. So the joined region holds the
//     monitor only a little longer than the two regions together.
// C3: at most `most_joined` regions become one, and a region in a loop is not joined with the region of the next
//     iteration. So other threads wait for one longer region at most.
// C4: other threads see an execution in which none of them has entered the monitor between the two regions. Any thread
//     may be late at any place, so the language allows this execution (JLS 17.4.5). Code between the regions moves into
//     a region, and no code moves out of one. Regions with a volatile access or a fence between them are not joined,
//     because threads may wait for each other by such accesses.
// C5: no monitor is entered or released between the regions. So the coarsened lock is the innermost (S7 of
//     frame_state.h).
#include <algorithm>
#include <map>

#include "jit/graph/optimize/lock_regions.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

constexpr u32 most_joined = 8;
constexpr usize most_between = 64;  // limit of C2, in nodes

// C2, C4: whether the node may stand between two locked regions that are merged.
bool may_stand_between(const Node* node) {
  switch (node->op) {
    case Op::phi:
    case Op::guard:
    case Op::new_instance:
    case Op::box:
    case Op::jump:
    case Op::branch:
    case Op::switch_:
    case Op::uncommon_trap:
    case Op::current_thread:
    case Op::mirror_of: return true;
    case Op::load_field:
    case Op::store_field:
    case Op::load_element:
    case Op::store_element: return !node->access.is_ordered;
    default: return node->has(effect::pure);
  }
}

// Between: the nodes between two locked regions of a monitor, that is, after the exits of the first region and before
// the enter of the second.
class Between {
 public:
  // Collects the monitor exits from which a path leads to `enter`, and the nodes on these paths. Returns false if the
  // regions cannot be merged.
  bool find(Node* enter) {
    enter_ = enter;
    auto& nodes = enter->block->nodes;
    usize place = static_cast<usize>(std::ranges::find(nodes, enter) - nodes.begin());
    if (!go_back(enter->block, place)) return false;
    for (usize i = 0; i < forward_.size(); ++i) {
      if (!go_on_from(forward_[i])) return false;
    }
    return std::ranges::all_of(whole_, [this](const Block* block) { return comes_from_here(block); });
  }
  const std::vector<Node*>& exits() const { return exits_; }
  const std::vector<Node*>& nodes() const { return nodes_; }

 private:
  static bool has(const std::vector<const Block*>& blocks, const Block* block) {
    return std::ranges::find(blocks, block) != blocks.end();
  }

  // Walks backwards from the index in the block, and on through all predecessors, to the exits of the monitor. Collects
  // the nodes that it passes.
  bool go_back(Block* block, usize end) {
    while (end > 0) {
      Node* node = block->nodes[--end];
      if (node->op == Op::monitor_exit) {
        if (node->inputs[0] != enter_->inputs[0]) return false;
        exits_.push_back(node);
        return true;
      }
      if (!add(node)) return false;
    }
    if (block->is_loop_header || block->predecessors.empty()) return false;
    whole_.push_back(block);
    for (Block* from : block->predecessors) {
      if (has(sources_, from)) continue;
      sources_.push_back(from);
      if (from == enter_->block || !go_back(from, from->nodes.size())) return false;
      forward_.push_back(from);
    }
    return true;
  }
  // Follows the paths out of the block, except those that lead to the enter. Each of these paths has to end in a
  // deoptimization; otherwise returns false.
  bool go_on_from(Block* block) {
    for (Block* to : block->successors) {
      if (has(whole_, to)) continue;
      if (to->is_loop_header) return false;
      whole_.push_back(to);
      for (Node* node : to->nodes) {
        if (!add(node)) return false;
      }
      sources_.push_back(to);
      forward_.push_back(to);
    }
    return true;
  }
  bool comes_from_here(const Block* block) const {
    return std::ranges::all_of(block->predecessors, [this](const Block* from) { return has(sources_, from); });
  }
  bool add(Node* node) {
    nodes_.push_back(node);
    return may_stand_between(node) && nodes_.size() <= most_between &&
           (node->state == nullptr || node->state->coarsened_lock == nullptr);
  }

  Node* enter_ = nullptr;
  std::vector<Node*> exits_, nodes_;
  std::vector<const Block*> whole_;    // blocks that lie between the two regions with all their nodes
  std::vector<const Block*> sources_;  // blocks whose ends lie between the two regions
  // the blocks at which go_on_from() begins, because a path that does not lead to the enter may begin there
  std::vector<Block*> forward_;
};

u32 joined(const LockRegion& region) {
  u32 count = 0;
  for (const Node* enter : region.enters) count = std::max(count, enter->joined_regions);
  return count;
}

class Coarsening {
 public:
  explicit Coarsening(Graph& graph) : graph_(graph) {}

  bool run() {
    bool changed = false;
    while (join_two()) changed = true;
    return changed;
  }

 private:
  bool join_two() {
    LockRegions regions(graph_);
    if (!regions.are_known()) return false;
    for (const LockRegion& region : regions.all()) {
      for (Node* enter : region.enters) {
        Between between;
        if (enter->op == Op::monitor_enter && between.find(enter) && join(regions, enter, between)) return true;
      }
    }
    return false;
  }

  bool join(const LockRegions& regions, Node* enter, const Between& between) {
    u32 count = joined(regions.all()[regions.region_of(enter)]) + 1;
    std::vector<u32> before;
    for (const Node* exit : between.exits()) {
      u32 region = regions.region_of(exit);
      if (std::ranges::find(before, region) != before.end()) continue;
      before.push_back(region);
      count += joined(regions.all()[region]) + 1;
    }
    if (count > most_joined) return false;  // C3
    for (u32 region : before) {
      for (Node* first : regions.all()[region].enters) first->joined_regions = count - 1;
    }
    hold_between(between, enter->inputs[0]);
    auto erase = [](Node* node) { std::erase(node->block->nodes, node); };
    erase(enter);
    std::ranges::for_each(between.exits(), erase);
    return true;
  }

  // C1: the frame states of the nodes between the regions get the coarsened lock.
  void hold_between(const Between& between, Node* object) {
    std::map<const FrameState*, FrameState*> known;
    for (Node* node : between.nodes()) {
      if (node->state == nullptr) continue;
      FrameState*& state = known[node->state];
      if (state == nullptr) {
        state = graph_.make_frame_state(*node->state);
        state->coarsened_lock = object;
      }
      node->state = state;
    }
  }

  Graph& graph_;
};

}  // namespace

bool coarsen_locks(Graph& graph) { return Coarsening(graph).run(); }

}  // namespace keyhole::graph
