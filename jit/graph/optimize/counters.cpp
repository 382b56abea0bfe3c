// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds loops and their induction variables.
#include "jit/graph/optimize/counters.h"

#include <algorithm>

namespace keyhole::graph {

std::optional<Condition> negated(Condition condition) {
  switch (condition) {
    case Condition::Less: return Condition::GreaterOrEqual;
    case Condition::GreaterOrEqual: return Condition::Less;
    case Condition::Greater: return Condition::LessOrEqual;
    case Condition::LessOrEqual: return Condition::Greater;
    case Condition::Equal: return Condition::NotEqual;
    case Condition::NotEqual: return Condition::Equal;
    default: return std::nullopt;
  }
}

std::optional<Condition> exchanged(Condition condition) {
  switch (condition) {
    case Condition::Less: return Condition::Greater;
    case Condition::GreaterOrEqual: return Condition::LessOrEqual;
    case Condition::Greater: return Condition::Less;
    case Condition::LessOrEqual: return Condition::GreaterOrEqual;
    case Condition::Equal:
    case Condition::NotEqual: return condition;
    default: return std::nullopt;
  }
}

std::optional<Stride> stride_of(const Node* next, const Node* phi) {
  bool adds = next->op == Op::iadd, subtracts = next->op == Op::isub;
  if (!adds && !subtracts) return std::nullopt;
  usize other = next->inputs[0] == phi ? 1 : 0;
  if (next->inputs[1 - other] != phi || (subtracts && other == 0)) return std::nullopt;
  Node* added = next->inputs[other];
  if (!added->is_constant()) return adds && added != phi ? std::optional(Stride{0, added}) : std::nullopt;
  u32 value = static_cast<u32>(added->bits);
  return Stride{static_cast<i32>(adds ? value : 0 - value), nullptr};
}

std::optional<Condition> held_for(const Node* condition, const Node* phi, bool result, Node*& limit) {
  if (condition->op != Op::compare_int) return std::nullopt;
  bool is_left = condition->inputs[0] == phi, is_right = condition->inputs[1] == phi;
  if (is_left == is_right) return std::nullopt;
  limit = condition->inputs[is_left ? 1 : 0];
  std::optional<Condition> held = result ? condition->condition : negated(condition->condition);
  if (!held || is_left) return held;
  return exchanged(*held);
}

Block* before_loop(const Block* header) {
  Block* only = nullptr;
  for (Block* block : header->predecessors) {
    if (block->id >= header->id) continue;
    if (only != nullptr) return nullptr;
    only = block;
  }
  return only;
}

std::vector<bool> blocks_of_loop(const Graph& graph, const Block* header) {
  std::vector<bool> is_in(graph.blocks.size());
  std::vector<const Block*> work;
  is_in[header->id] = true;
  for (const Block* block : header->predecessors) {
    if (block->id >= header->id) work.push_back(block);
  }
  while (!work.empty()) {
    const Block* block = work.back();
    work.pop_back();
    if (is_in[block->id]) continue;
    is_in[block->id] = true;
    work.insert(work.end(), block->predecessors.begin(), block->predecessors.end());
  }
  return is_in;
}

Node* loop_entry_in(const Block* block) {
  auto found = std::ranges::find_if(block->nodes, [](const Node* node) { return node->op == Op::loop_entry; });
  return found == block->nodes.end() ? nullptr : *found;
}

}  // namespace keyhole::graph
