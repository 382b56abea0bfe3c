// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes liveness by a backward analysis, and the contents of stack slots by a forward one.
#include "jit/graph/lower/stack_slots.h"

#include <algorithm>

namespace keyhole::graph {

StackSlots::StackSlots(const Graph& graph)
    : graph_(graph), is_reloaded_(graph.node_count()), is_refused_(graph.node_count()), survivors_(graph.node_count()),
      nodes_(graph.node_count()), begins_(graph.blocks.size()), ends_(graph.blocks.size()),
      is_reached_(graph.blocks.size()) {
  bool has_enters = false;
  for (const Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      nodes_[node->id] = node;
      has_calls_ |= node->op == Op::call;
      has_enters |= is_monitorenter(node);
    }
  }
  if (has_calls_ || has_enters) find_survivors();
  find_contents();
  if (has_header_on_some_paths()) {
    writes_header_at_entry_ = true;
    find_contents();
  }
}

bool StackSlots::is_rematerialized(const Node* value) {
  return value->op == Op::mirror || value->op == Op::resolved_object || value->op == Op::root_object;
}

static usize kept_operands(const Node* call) {
  return call->state->operands.size() - (call->op == Op::monitor_enter ? 1 : call->call->argument_slots);
}

i64 StackSlots::slot_after(const Node* call, const Node* value) {
  i64 first = -1;
  auto note = [&](u32 slot, const Node* held) {
    if (held == value && first < 0) first = slot;
  };
  for_each_slot(*call->state, kept_operands(call), note, shift_in_call(*call->state));
  return first;
}

// --- values that live across calls -----------------------------------------------------------------------------------

// Makes the inputs of the node live before the node, and the node's own value dead there. The inputs of a phi are live
// at the ends of the predecessors, not before the phi.
void StackSlots::use_backwards(const Node* node, NodeSet& live) {
  live.remove(node);
  if (node->op == Op::phi) return;
  for (const Node* input : node->inputs) live.add(input);
  if (node->state == nullptr) return;
  for_each_slot(*node->state, node->state->operands.size(), [&](u32, const Node* held) { live.add(held); });
  if (node->state->coarsened_lock != nullptr) live.add(node->state->coarsened_lock);
  for_each_lock(node->state, [&](const HeldLock& lock) {
    if (lock.is_eliminated || lock.has_no_record) live.add(lock.object);
  });
}

void StackSlots::find_survivors() {
  usize blocks = graph_.blocks.size();
  const NodeSet none(graph_.node_count());
  // A value is live at a block's begin in two cases: the block uses the value before it defines it, or the value is
  // live at the block's end and the block does not define it.
  std::vector<NodeSet> defined(blocks, none), begin(blocks, none), end(blocks, none);
  for (const Block* block : graph_.blocks) {
    for (auto node = block->nodes.rbegin(); node != block->nodes.rend(); ++node) {
      defined[block->id].add(*node);
      use_backwards(*node, begin[block->id]);
      if ((*node)->op != Op::phi) continue;
      for (usize edge = 0; edge < block->predecessors.size(); ++edge)
        end[block->predecessors[edge]->id].add((*node)->inputs[edge]);
    }
  }
  auto pass_through = [&](u32 block) {
    NodeSet passing = end[block];
    passing.remove_all(defined[block]);
    return begin[block].add_all(passing);
  };
  for (u32 block = 0; block < blocks; ++block) pass_through(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = graph_.blocks.rbegin(); at != graph_.blocks.rend(); ++at) {
      u32 block = (*at)->id;
      bool grows = false;
      for (const Block* next : (*at)->successors) grows |= end[block].add_all(begin[next->id]);
      if (grows && pass_through(block)) changed = true;
    }
  }
  for (const Block* block : graph_.blocks) {
    NodeSet& live = end[block->id];
    for (auto at = block->nodes.rbegin(); at != block->nodes.rend(); ++at) {
      if ((*at)->op == Op::call) note_survivors(*at, live);
      if (is_monitorenter(*at)) is_refused_[(*at)->id] = has_reference_without_slot(*at, live);
      use_backwards(*at, live);
    }
  }
}

void StackSlots::note_survivors(const Node* call, const NodeSet& live) {
  live.for_each_id([&](u32 id) {
    Node* value = nodes_[id];
    if (value == call || value->is_constant() || value->op == Op::virtual_object) return;
    if (is_rematerialized(value) || slot_after(call, value) >= 0) {
      survivors_[call->id].push_back(value);
      is_reloaded_[id] = true;
    } else if (value->type == Type::Reference) {
      refused_ = value;
    }
  });
}

bool StackSlots::has_reference_without_slot(const Node* enter, const NodeSet& live) const {
  bool found = false;
  live.for_each_id([&](u32 id) {
    const Node* value = nodes_[id];
    found |= value->type == Type::Reference && !value->is_constant() && !is_rematerialized(value) &&
             slot_after(enter, value) < 0;
  });
  return found;
}

// --- contents of stack slots -----------------------------------------------------------------------------------------

void StackSlots::pass(FrameContents& contents, const Node* call) {
  contents.has_header = true;
  contents.kind = FrameContents::kind_at(call->state);
  std::ranges::fill(contents.slots, nullptr);
  auto note = [&](u32 slot, const Node* held) { contents.slots[slot] = held; };
  for_each_slot(*call->state, kept_operands(call), note, shift_in_call(*call->state));
}

// Merges the slot contents at the ends of the predecessors that the analysis has reached. If the value in a slot is the
// same in all these predecessors, the slot keeps that value. If the values differ and are the inputs of a phi of the
// block, the slot holds the phi. Otherwise the slot's value is unknown.
bool StackSlots::merge(const Block* block, FrameContents& into) {
  constexpr u32 most_changes = 4;
  FrameContents merged;
  auto first = std::ranges::find_if(block->predecessors, [this](const Block* from) { return is_reached_[from->id]; });
  merged.has_header = true;
  merged.kind = ends_[(*first)->id].kind;
  for (const Block* from : block->predecessors) {
    if (!is_reached_[from->id]) continue;
    merged.has_header &= ends_[from->id].has_header;
    if (merged.kind != ends_[from->id].kind) merged.kind = FrameContents::Kind::Unknown;
  }
  auto holds = [&](u32 slot, auto&& value_of_edge) {
    for (usize edge = 0; edge < block->predecessors.size(); ++edge) {
      const Block* from = block->predecessors[edge];
      if (is_reached_[from->id] && ends_[from->id].slots[slot] != value_of_edge(edge)) return false;
    }
    return true;
  };
  merged.slots.resize(into.slots.size());
  for (u32 slot = 0; slot < into.slots.size(); ++slot) {
    const Node* value = ends_[(*first)->id].slots[slot];
    if (value == nullptr) continue;
    if (holds(slot, [value](usize) { return value; })) {
      merged.slots[slot] = value;
      continue;
    }
    for (const Node* phi : block->nodes) {
      if (phi->op != Op::phi) break;
      if (!holds(slot, [phi](usize edge) { return phi->inputs[edge]; })) continue;
      merged.slots[slot] = phi;
      break;
    }
  }
  bool changed = !is_reached_[block->id] || merged.has_header != into.has_header || merged.kind != into.kind;
  for (u32 slot = 0; slot < into.slots.size(); ++slot) {
    u32& changes = changes_[block->id * into.slots.size() + slot];
    if (is_reached_[block->id] && merged.slots[slot] != into.slots[slot] && ++changes > most_changes)
      merged.slots[slot] = nullptr;
    changed |= merged.slots[slot] != into.slots[slot];
  }
  into = std::move(merged);
  return changed;
}

bool StackSlots::has_header_on_some_paths() const {
  return std::ranges::any_of(graph_.blocks, [this](const Block* block) {
    return std::ranges::any_of(block->predecessors, [&](const Block* from) {
      return ends_[from->id].has_header != begins_[block->id].has_header;
    });
  });
}

void StackSlots::find_contents() {
  const Method* method = graph_.method();
  slot_count_ = usize{method->max_locals} + sizeof(Frame) / sizeof(Slot) + method->max_stack;
  for (const Block* block : graph_.blocks) {
    for (const Node* node : block->nodes) {
      if (node->state == nullptr) continue;
      u32 end = fields_distance(*node->state);
      for_each_field_slot(*node->state, [&](u32 slot, const Node*) { end = slot + 1; });
      slot_count_ = std::max<usize>(slot_count_, end);
    }
  }
  for (FrameContents& contents : begins_) contents = {std::vector<const Node*>(slot_count_)};
  changes_.assign(slot_count_ * graph_.blocks.size(), 0);
  is_reached_.assign(graph_.blocks.size(), false);
  FrameContents& entry = begins_[0];
  entry.has_header = writes_header_at_entry_ || graph_.loop_instruction;
  if (entry.has_header) entry.kind = FrameContents::Kind::Interpreted;
  for (const Node* node : graph_.blocks[0]->nodes) {
    if (node->op == Op::parameter) entry.slots[node->local] = node;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block* block : graph_.blocks) {
      bool is_first = block->id == 0;
      if (!is_first && !merge(block, begins_[block->id])) continue;
      if (is_first && is_reached_[0]) continue;
      changed = true;
      is_reached_[block->id] = true;
      FrameContents contents = begins_[block->id];
      for (const Node* node : block->nodes) {
        if (node->op == Op::call) pass(contents, node);
      }
      ends_[block->id] = std::move(contents);
    }
  }
}

}  // namespace keyhole::graph
