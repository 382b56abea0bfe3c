// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Places the allocation of boxes. Earlier phases have replaced reads of a box by its number (value_numbering.cpp) and
// checks of its class by constants. The remaining uses are comparisons, frame states, and uses as an object: stores,
// arguments, merges, and frame states of calls. The box is allocated before the first use as an object, if that place
// dominates all other uses as an object:
//
//     n2 = box n1                                        n2 = virtual_box n1
//     guard n5 @7 [n2]                                   guard n5 @7 [n2]
//     branch ...                                  ──>    branch ...
//     call n2 @9 [n2 | n2]       the rarer path          n7 = box n1 @9 [n2 | n2]
//                                                        call n7 @9 [n7 | n7]
//
// B1: a box is one object. Every use that execution can reach after the allocation names the allocated box, and none
//     names the virtual box. So a loop allocates the box only if it also creates the box.
// B2: deoptimization with a frame state that names a virtual box allocates the object (ScalarReplacedObject).
// B3: the allocation may deoptimize. It does so with the last frame state before it, so no node between the two may
//     write.
#include <algorithm>
#include <map>

#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

struct Use {
  Node* user;
  // the block of `user`; if `user` is a phi, the predecessor whose edge gives the box to the phi
  Block* block;
  usize place;  // the index of `user` in its block; end_of(block) for a phi
  usize input;  // number of a phi's input
  bool as_object;
};

bool is_in(const FrameState* state, const Node* box) {
  auto names = [box](std::span<Node* const> values) { return std::ranges::find(values, box) != values.end(); };
  if (state == nullptr) return false;
  for (const FieldValues& object : state->objects) {
    if (names(object.values)) return true;
  }
  for (; state != nullptr; state = state->outer) {
    if (names(state->locals) || names(state->operands)) return true;
  }
  return false;
}
bool is_locked(const FrameState* state, const Node* box) {
  for (; state != nullptr; state = state->outer) {
    if (state->coarsened_lock == box) return true;
    for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
      if (lock->object == box) return true;
    }
  }
  return false;
}

// The index of the block's last node, or of the call before it if the last node is a catch_. No node may stand between
// a call and its catch_.
usize end_of(const Block* block) { return block->nodes.size() - (block->end()->op == Op::catch_ ? 2 : 1); }

class Placement {
 public:
  Placement(Graph& graph, Node* box) : graph_(graph), box_(box), origin_(box->block) {}

  bool run() {
    find_uses();
    Block* block = nullptr;
    for (const Use& use : uses_) {
      if (use.as_object) block = block == nullptr ? use.block : common_dominator(block, use.block);
    }
    if (block == nullptr) return become_virtual(), true;
    for (; block != origin_; block = block->dominator) {
      FrameState* state = nullptr;
      usize place = place_in(block);
      if (is_after_all(block, place) && (state = state_before(block, place)) != nullptr)
        return allocate_at(block, place, state), true;
    }
    return false;
  }

 private:
  void find_uses() {
    for (Block* block : graph_.blocks) {
      for (usize i = 0; i < block->nodes.size(); ++i) {
        Node* node = block->nodes[i];
        if (node->op == Op::phi) {
          for (usize edge = 0; edge < node->inputs.size(); ++edge) {
            Block* from = block->predecessors[edge];
            if (node->inputs[edge] == box_) uses_.push_back({node, from, end_of(from), edge, true});
          }
          continue;
        }
        bool is_input = std::ranges::find(node->inputs, box_) != node->inputs.end();
        bool locks = is_locked(node->state, box_), is_held = locks || is_in(node->state, box_);
        if (!is_input && !is_held) continue;
        bool as_object = (is_input && !is_compared_with_other(node)) || locks || node->has(effect::calls);
        uses_.push_back({node, block, i, 0, as_object});
      }
    }
  }
  static bool is_compared_with_other(const Node* node) {
    return node->op == Op::compare_reference && !(node->inputs[0]->is_box() && node->inputs[1]->is_box());
  }

  static Block* common_dominator(Block* a, Block* b) {
    while (!a->dominates(b)) a = a->dominator;
    return a;
  }

  // The index of the block's first node that uses the box as an object; end_of(block) if no node does.
  usize place_in(const Block* block) const {
    usize place = end_of(block);
    for (const Use& use : uses_) {
      if (use.as_object && use.block == block) place = std::min(place, use.place);
    }
    return place;
  }

  static bool is_after(const Use& use, const Block* block, usize place) {
    return use.block == block ? use.place >= place : block->dominates(use.block);
  }

  // B1: whether the new place of the allocation dominates every use that execution can reach after this place.
  bool is_after_all(Block* block, usize place) {
    is_reached_.assign(graph_.blocks.size(), false);
    std::vector<const Block*> work{block};
    while (!work.empty()) {
      const Block* from = work.back();
      work.pop_back();
      for (const Block* to : from->successors) {
        if (to == origin_ || is_reached_[to->id]) continue;  // origin_ creates a new box
        is_reached_[to->id] = true;
        work.push_back(to);
      }
    }
    if (is_reached_[block->id]) return false;
    return std::ranges::all_of(
        uses_, [&](const Use& use) { return is_after(use, block, place) || !is_reached_[use.block->id]; });
  }

  // B3: the last frame state before the place of the allocation. Null if a node between that frame state and the place
  // writes memory or calls.
  FrameState* state_before(Block* block, usize place) const {
    if (block->nodes[place]->state != nullptr) return block->nodes[place]->state;
    for (;;) {
      while (place-- > 0) {
        Node* node = block->nodes[place];
        if (node->has(effect::writes | effect::calls)) return nullptr;
        if (node->state != nullptr) return node->state;
      }
      if (block->predecessors.size() != 1 || block->predecessors[0]->end()->op == Op::catch_) return nullptr;
      block = block->predecessors[0];
      place = block->nodes.size();
    }
  }

  void become_virtual() {
    box_->op = Op::virtual_box;
    box_->state = nullptr;
  }

  void allocate_at(Block* block, usize place, FrameState* state) {
    Node* made = graph_.make(Op::box, Type::Reference, box_->inputs);
    made->is_never_null = true;
    made->cache = box_->cache;
    made->state = state;
    made->origin = block->nodes[place]->origin;
    made->block = block;
    for (const Use& use : uses_) {
      if (!is_after(use, block, place)) continue;
      if (use.user->op == Op::phi) {
        use.user->inputs[use.input] = made;
        continue;
      }
      std::ranges::replace(use.user->inputs, box_, made);
      use.user->state = with(made, use.user->state);
    }
    block->nodes.insert(block->nodes.begin() + static_cast<i64>(place), made);
    become_virtual();
  }

  // Copies the frame state, and puts the allocated box in place of the virtual one. Nodes that shared the frame state
  // also share the copy.
  FrameState* with(Node* made, FrameState* state) {
    if (state == nullptr || (!is_in(state, box_) && !is_locked(state, box_))) return state;
    FrameState*& copy = copies_[state];
    if (copy != nullptr) return copy;
    copy = graph_.make_frame_state(*state);
    std::ranges::replace(copy->locals, box_, made);
    std::ranges::replace(copy->operands, box_, made);
    for (FieldValues& object : copy->objects) std::ranges::replace(object.values, box_, made);
    copy->locks = with(made, state->locks);
    copy->outer = with(made, state->outer);
    return copy;
  }
  HeldLock* with(Node* made, HeldLock* lock) {
    if (lock == nullptr) return nullptr;
    HeldLock* copy = graph_.make_lock(lock->object == box_ ? made : lock->object, with(made, lock->outer));
    copy->is_eliminated = lock->is_eliminated;
    return copy;
  }

  Graph& graph_;
  Node* const box_;
  Block* const origin_;  // the block of the original box node
  std::vector<Use> uses_;
  // by block id: whether the block can be reached from the place of the allocation without passing the block origin_
  std::vector<bool> is_reached_;
  std::map<FrameState*, FrameState*> copies_;
};

}  // namespace

bool place_boxes(Graph& graph) {
  std::vector<Node*> boxes;
  for (Block* block : graph.blocks) {
    std::ranges::copy_if(block->nodes, std::back_inserter(boxes), [](Node* node) { return node->op == Op::box; });
  }
  bool changed = false;
  for (Node* box : boxes) changed = Placement(graph, box).run() || changed;
  return changed;
}

}  // namespace keyhole::graph
