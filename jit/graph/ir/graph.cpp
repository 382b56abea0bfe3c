// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds and changes graphs.
#include "jit/graph/ir/graph.h"

#include <algorithm>

#include "jit/graph/ir/order.h"

namespace keyhole::graph {

// The graph frees its memory as a whole, so the vectors of a block need no destructor.
Block* Graph::make_block() {
  Block* block = new (memory_.allocate(sizeof(Block), alignof(Block))) Block(&memory_);
  block->id = static_cast<u32>(blocks.size());
  blocks.push_back(block);
  return block;
}

Node* Graph::make(Op op, Type type, std::span<Node* const> inputs) {
  Node* node = make_data(Node{op, type, node_count_++});
  node->inputs = make_span<Node*>(inputs);
  node->origin = origin;
  return node;
}

FrameState* Graph::make_frame_state(const FrameState& like) {
  FrameState* state = make_data(like);
  state->locals = make_span<Node*>(like.locals);
  state->operands = make_span<Node*>(like.operands);
  state->objects = make_span<FieldValues>(like.objects);
  for (FieldValues& object : state->objects) object.values = make_span<Node*>(object.values);
  states_.push_back(state);
  return state;
}

HeldLock* Graph::make_lock(Node* object, HeldLock* outer) {
  locks_.push_back(make_data(HeldLock{object, outer}));
  return locks_.back();
}

void Graph::resolve_replacements() {
  auto resolve = [](std::span<Node*> values) {
    for (Node*& value : values) {
      if (value != nullptr) value = current(value);
    }
  };
  for (Block* block : blocks) {
    std::erase_if(block->nodes, [](const Node* node) { return node->replaced_by != nullptr; });
    for (Node* node : block->nodes) resolve(node->inputs);
  }
  for (FrameState* state : states_) {
    resolve(state->locals);
    resolve(state->operands);
    for (FieldValues& object : state->objects) resolve(object.values);
    if (state->coarsened_lock != nullptr) state->coarsened_lock = current(state->coarsened_lock);
  }
  for (HeldLock* lock : locks_) lock->object = current(lock->object);
}

void Graph::remove_redundant_phis() {
  auto only_value = [](const Node* phi) -> Node* {
    Node* only = nullptr;
    for (Node* input : phi->inputs) {
      Node* value = current(input);
      if (value == phi || value == only) continue;
      if (only != nullptr) return nullptr;
      only = value;
    }
    return only;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block* block : blocks) {
      for (Node* node : block->nodes) {
        if (node->op != Op::phi) break;
        if (node->replaced_by != nullptr) continue;
        if (Node* only = only_value(node)) {
          replace(node, only);
          changed = true;
        }
      }
    }
  }
  resolve_replacements();
}

void Graph::order_blocks() {
  for (u32 i = 0; i < blocks.size(); ++i) blocks[i]->id = i;
  std::vector<std::vector<u32>> successors(blocks.size());
  for (Block* block : blocks) {
    for (Block* successor : block->successors) successors[block->id].push_back(successor->id);
  }
  std::vector<u32> order = reverse_postorder(successors);
  std::vector<Block*> ordered;
  for (u32 index : order) ordered.push_back(blocks[index]);
  std::vector<bool> is_reached(blocks.size());
  for (u32 index : order) is_reached[index] = true;
  for (Block* block : ordered) {
    // Removes the edges from unreachable predecessors, and the inputs of phis for these edges.
    u32 kept = 0;
    for (u32 i = 0; i < block->predecessors.size(); ++i) {
      if (!is_reached[block->predecessors[i]->id]) continue;
      for (Node* node : block->nodes) {
        if (node->op != Op::phi) break;
        node->inputs[kept] = node->inputs[i];
      }
      block->predecessors[kept++] = block->predecessors[i];
    }
    block->predecessors.resize(kept);
    for (Node* node : block->nodes) {
      if (node->op != Op::phi) break;
      node->inputs = node->inputs.first(kept);
    }
  }
  blocks = std::move(ordered);
  for (u32 i = 0; i < blocks.size(); ++i) blocks[i]->id = i;
  std::vector<std::vector<u32>> predecessors(blocks.size());
  for (Block* block : blocks) {
    block->is_loop_header = false;
    for (Block* predecessor : block->predecessors) {
      predecessors[block->id].push_back(predecessor->id);
      if (predecessor->id >= block->id) block->is_loop_header = true;
    }
  }
  std::vector<u32> dominators = immediate_dominators(predecessors);
  for (Block* block : blocks) block->dominator = block->id == 0 ? nullptr : blocks[dominators[block->id]];
  number_dominators();
}

// Numbers the dominator tree in preorder. In reverse postorder a dominator comes before the blocks that it dominates.
// So a first pass from the last block to the first adds up the sizes of the subtrees, and a second pass in block order
// gives the numbers.
void Graph::number_dominators() {
  std::vector<u32> size(blocks.size(), 1), next(blocks.size());
  for (usize i = blocks.size(); i-- > 1;) size[blocks[i]->dominator->id] += size[i];
  for (Block* block : blocks) {
    u32& place = block->id == 0 ? next[0] : next[block->dominator->id];
    block->dominance_begin = place;
    block->dominance_end = place + size[block->id];
    place += size[block->id];
    next[block->id] = block->dominance_begin + 1;
  }
}

}  // namespace keyhole::graph
