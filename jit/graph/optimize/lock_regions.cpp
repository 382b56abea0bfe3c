// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the regions in one pass over the blocks in reverse postorder. Where paths merge, their regions are merged.
// After the pass, describe() collects the enters, exits and locks of each region.
#include "jit/graph/optimize/lock_regions.h"

#include <algorithm>

namespace keyhole::graph {

LockRegions::LockRegions(const Graph& graph)
    : of_node_(graph.node_count(), none), at_begin_(graph.blocks.size()), is_reached_(graph.blocks.size()) {
  walk(graph);
  if (are_known_) describe(graph);
}

u32 LockRegions::find(u32 region) const {
  while (parents_[region] != region) region = parents_[region];
  return region;
}

void LockRegions::merge(u32 a, u32 b) {
  a = find(a);
  b = find(b);
  parents_[std::max(a, b)] = std::min(a, b);
}

void LockRegions::walk(const Graph& graph) {
  if (graph.blocks.empty()) return;
  is_reached_[0] = true;
  for (const Block* block : graph.blocks) {
    Stack stack = at_begin_[block->id];
    pass(block, stack);
    if (!are_known_) return;
    const Node* end = block->end();
    bool tests_release = end->op == Op::branch && end->inputs[0]->op == Op::release;
    for (usize i = 0; i < block->successors.size(); ++i) {
      if (i == 0 && tests_release) {
        Stack released = stack;
        exit(end->inputs[0], released);
        go_to(block->successors[0], released);
      } else {
        go_to(block->successors[i], stack);
      }
    }
  }
}

void LockRegions::pass(const Block* block, Stack& stack) {
  for (Node* node : block->nodes) {
    if (node->state != nullptr) note_state(node, stack);
    if (node->has(effect::calls)) calls_in_.push_back(stack);
    switch (node->op) {
      case Op::lock_method:
      case Op::held_monitor:
      case Op::monitor_enter: enter(node, stack); break;
      case Op::monitor_exit: exit(node, stack); break;
      case Op::release: are_known_ &= block->end()->op == Op::branch && block->end()->inputs[0] == node; break;
      default: break;
    }
  }
}

void LockRegions::enter(Node* node, Stack& stack) {
  u32 number = static_cast<u32>(parents_.size());
  parents_.push_back(number);
  enters_in_.push_back(stack);
  of_node_[node->id] = number;
  stack.push_back(number);
}

void LockRegions::exit(Node* node, Stack& stack) {
  if (stack.empty()) {
    are_known_ = false;
    return;
  }
  of_node_[node->id] = stack.back();
  stack.pop_back();
}

void LockRegions::go_to(const Block* block, const Stack& stack) {
  Stack& there = at_begin_[block->id];
  if (!is_reached_[block->id]) {
    is_reached_[block->id] = true;
    there = stack;
    return;
  }
  if (there.size() != stack.size()) are_known_ = false;
  else
    for (usize i = 0; i < stack.size(); ++i) merge(there[i], stack[i]);
}

// L2: assigns the locks of the frame state to the regions around the node, one lock to each region. Eliminated locks
// and locks of virtual objects have no region, because the code does not hold them. The region of a coarsened lock has
// no lock in the frame state.
void LockRegions::note_state(const Node* node, const Stack& stack) {
  usize depth = stack.size() - (node->state->coarsened_lock != nullptr ? 1 : 0);
  for (const FrameState* state = node->state; state != nullptr; state = state->outer) {
    for (HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
      if (lock->is_eliminated || lock->object->is_virtual()) continue;
      if (depth == 0) {
        are_known_ = false;
        return;
      }
      u32 region = stack[--depth];
      if (regions_.size() <= region) regions_.resize(region + 1);
      regions_[region].locks.push_back(lock);
    }
  }
  are_known_ &= depth == 0;
}

void LockRegions::describe(const Graph& graph) {
  regions_.resize(parents_.size());
  for (u32 i = 0; i < regions_.size(); ++i) {
    if (u32 root = find(i); root != i) {
      auto& locks = regions_[root].locks;
      locks.insert(locks.end(), regions_[i].locks.begin(), regions_[i].locks.end());
      regions_[i].locks.clear();
    }
  }
  for (const Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      if (of_node_[node->id] == none) continue;
      LockRegion& region = regions_[region_of(node)];
      bool is_exit = node->op == Op::monitor_exit || node->op == Op::release;
      (is_exit ? region.exits : region.enters).push_back(node);
    }
  }
  for (LockRegion& region : regions_) {
    std::ranges::sort(region.locks);
    region.locks.erase(std::ranges::unique(region.locks).begin(), region.locks.end());
    if (region.enters.empty()) continue;
    Node* object = region.enters[0]->inputs[0];
    auto is_of_it = [object](const Node* node) { return node->inputs[0] == object; };
    if (std::ranges::all_of(region.enters, is_of_it) && std::ranges::all_of(region.exits, is_of_it))
      region.object = object;
    for (u32 around : enters_in_[of_node_[region.enters[0]->id]]) region.around.push_back(find(around));
  }
  for (const Stack& stack : enters_in_) {
    for (u32 region : stack) regions_[find(region)].enters_others = true;
  }
  for (const Stack& stack : calls_in_) {
    for (u32 region : stack) regions_[find(region)].has_calls = true;
  }
}

}  // namespace keyhole::graph
