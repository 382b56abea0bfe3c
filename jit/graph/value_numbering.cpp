// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Value numbering: blocks in reverse postorder, so that what dominates a node has been seen before it.
#include <algorithm>
#include <unordered_map>

#include "jit/graph/phases.h"

namespace keyhole::graph {
namespace {

// What the node is told beside its inputs, as a number; equal for nodes that are told the same.
u64 told_to(const Node* node) {
  switch (node->op) {
    case Op::constant: return node->bits;
    case Op::parameter: return node->local;
    case Op::compare_int: case Op::compare_reference: return static_cast<u64>(node->condition);
    case Op::mirror: case Op::is_instance: case Op::is_castable: case Op::has_class:
      return reinterpret_cast<u64>(node->klass);
    // Addresses have 48 bits, indices of tables 16.
    case Op::selects:
      return reinterpret_cast<u64>(node->selected->method) | (u64{node->selected->vtable_index} << 48);
    case Op::root_object: return reinterpret_cast<u64>(node->root);
    // Pools are at least eight bytes apart, which is more than there are indices.
    case Op::resolved_object: return (reinterpret_cast<u64>(node->resolved.constants) << 16) + node->resolved.index;
    default: return 0;
  }
}

u64 hash_of(const Node* node) {
  u64 hash = static_cast<u64>(node->op) + 64 * static_cast<u64>(node->type);
  auto mix = [&hash](u64 value) { hash = (hash ^ value) * 0x9E37'79B9'7F4A'7C15; };
  mix(told_to(node));
  for (const Node* input : node->inputs) mix(input->id);
  return hash;
}

bool are_equal(const Node* a, const Node* b) {
  return a->op == b->op && a->type == b->type && told_to(a) == told_to(b) &&
         std::equal(a->inputs.begin(), a->inputs.end(), b->inputs.begin(), b->inputs.end());
}

bool stands_before(const Node* a, const Node* b) { return a->block == b->block || a->block->dominates(b->block); }

}  // namespace

bool number_values(Graph& graph) {
  std::unordered_multimap<u64, Node*> values;
  bool changed = false;
  for (Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      for (Node*& input : node->inputs) input = Graph::current(input);
      bool is_guard = node->op == Op::guard;
      if (!is_guard && !node->has(effect::pure)) continue;
      auto [first, last] = values.equal_range(hash_of(node));
      auto found = std::find_if(first, last, [node](const auto& entry) {
        return are_equal(entry.second, node) && stands_before(entry.second, node);
      });
      if (found == last) {
        values.emplace(hash_of(node), node);
        continue;
      }
      Graph::replace(node, found->second);   // a guard has no uses: it goes
      changed = true;
    }
  }
  if (changed) {
    graph.resolve_replacements();
    graph.remove_redundant_phis();
  }
  return changed;
}

void remove_unused(Graph& graph) {
  std::vector<bool> is_used(graph.node_count());
  std::vector<Node*> work;
  auto use = [&](Node* node) {
    if (node == nullptr || is_used[node->id]) return;
    is_used[node->id] = true;
    work.push_back(node);
  };
  auto has_effect = [](const Node* node) {
    if (node->op == Op::load_field) return node->access.is_ordered;
    return node->has(effect::exits | effect::writes | effect::ends);
  };
  for (Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      if (has_effect(node)) use(node);
    }
  }
  while (!work.empty()) {
    Node* node = work.back();
    work.pop_back();
    for (Node* input : node->inputs) use(input);
    for (State* state = node->state; state != nullptr; state = state->outer) {
      for (Node* local : state->locals) use(local);
      for (Node* operand : state->operands) use(operand);
      for (HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) use(lock->object);
    }
  }
  for (Block* block : graph.blocks) {
    std::erase_if(block->nodes, [&](const Node* node) { return !is_used[node->id]; });
  }
}

void optimise(Graph& graph) {
  bool changed = true;
  while (changed) {
    changed = simplify(graph);
    changed = number_values(graph) || changed;
  }
  remove_unused(graph);
}

}  // namespace keyhole::graph
