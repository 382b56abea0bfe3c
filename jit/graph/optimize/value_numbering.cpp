// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers values block by block in reverse postorder, so that the dominators of a block come before it.
#include <algorithm>
#include <unordered_map>

#include "jit/graph/ir/class_tests.h"
#include "jit/graph/optimize/conditions.h"
#include "jit/graph/optimize/memory.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

// The node's attributes as one number: equal for nodes with equal attributes.
u64 attributes_of(const Node* node) {
  switch (node->op) {
    case Op::constant: return node->bits;
    case Op::parameter: return node->local;
    case Op::compare_int:
    case Op::compare_reference: return static_cast<u64>(node->condition);
    case Op::mirror:
    case Op::is_instance:
    case Op::is_castable:
    case Op::has_class: return reinterpret_cast<u64>(node->klass);
    // The method and the vtable index give a unique number: the method's address takes 48 bits, and the vtable index
    // takes 16.
    case Op::selects: return reinterpret_cast<u64>(node->selected->method) | (u64{node->selected->vtable_index} << 48);
    case Op::root_object: return reinterpret_cast<u64>(node->root);
    // The constant pool and the index give a unique number: the address is shifted by 16 bits, and the index takes 16
    // bits.
    case Op::resolved_object: return (reinterpret_cast<u64>(node->resolved.constants) << 16) + node->resolved.index;
    default: return 0;
  }
}

u64 hash_of(const Node* node) {
  u64 hash = static_cast<u64>(node->op) + 64 * static_cast<u64>(node->type);
  auto mix = [&hash](u64 value) { hash = (hash ^ value) * 0x9E37'79B9'7F4A'7C15; };
  mix(attributes_of(node));
  for (const Node* input : node->inputs) mix(input->id);
  return hash;
}

bool are_equal(const Node* a, const Node* b) {
  return a->op == b->op && a->type == b->type && attributes_of(a) == attributes_of(b) &&
         std::equal(a->inputs.begin(), a->inputs.end(), b->inputs.begin(), b->inputs.end());
}

bool stands_before(const Node* a, const Node* b) { return a->block == b->block || a->block->dominates(b->block); }

bool is_load(const Node* node) { return node->op == Op::load_field || node->op == Op::load_element; }
bool is_store(const Node* node) { return node->op == Op::store_field || node->op == Op::store_element; }

class Numbering {
 public:
  explicit Numbering(Graph& graph) : graph_(graph), versions_(graph) {}

  bool run() {
    for (Block* block : graph_.blocks) {
      conditions_.learn_from_edge(block);
      for (usize i = 0; i < block->nodes.size(); ++i) {
        Node* node = block->nodes[i];
        for (Node*& input : node->inputs) input = Graph::current(input);
        if (node->op == Op::guard || node->op == Op::branch) i += decide(node, i);
        number(node);
      }
    }
    if (changed_) {
      graph_.resolve_replacements();
      graph_.remove_redundant_phis();
    }
    return changed_;
  }

 private:
  void replace(Node* node, Node* other) {
    Graph::replace(node, other);
    changed_ = true;
  }

  void number(Node* node) {
    if (is_load(node) || is_store(node)) access(node);
    if (node->replaced_by != nullptr) return;
    bool is_guard = node->op == Op::guard;
    if (!is_guard && !node->has(effect::pure)) return;
    fold_condition(node);
    auto [first, last] = values_.equal_range(hash_of(node));
    auto found = std::find_if(first, last, [node](const auto& entry) {
      return are_equal(entry.second, node) && stands_before(entry.second, node);
    });
    // drops the later one of two equal guards; no node uses a guard
    if (found != last) return replace(node, found->second);
    values_.emplace(hash_of(node), node);
    if (is_guard) conditions_.learn(node->inputs[0], true, node->block);
  }

  // --- conditions ----------------------------------------------------------------------------------------------------

  static bool is_condition(const Node* node) {
    return node->op == Op::compare_int || node->op == Op::compare_reference || is_class_test(node->op);
  }

  // Turns the condition into a constant if its result is known in the condition's own block.
  void fold_condition(Node* node) {
    if (!is_condition(node)) return;
    std::optional<bool> known = conditions_.known(node, node->block);
    if (!known.has_value()) return;
    node->op = Op::constant;
    node->inputs = {};
    node->bits = *known ? 1 : 0;
    changed_ = true;
  }
  // If the condition's result is known in the block of the guard or branch `user`, replaces the condition in `user` by
  // a constant. Returns the number of nodes that were inserted before `user`.
  usize decide(Node* user, usize place) {
    if (user->inputs[0]->is_constant()) return 0;
    std::optional<bool> known = conditions_.known(user->inputs[0], user->block);
    if (!known.has_value()) return 0;
    Node* value = graph_.make(Op::constant, Type::Int);
    value->bits = *known ? 1 : 0;
    value->block = user->block;
    user->block->nodes.insert(user->block->nodes.begin() + static_cast<i64>(place), value);
    user->inputs[0] = value;
    changed_ = true;
    return 1;
  }

  // --- loads that follow loads and stores of the same field or element (memory.h)
  // -------------------------------------

  static std::span<Node* const> address_of(const Node* node) {
    return std::span<Node* const>(node->inputs).first(is_load(node) ? node->inputs.size() : node->inputs.size() - 1);
  }
  u64 hash_of_access(const Node* node) const {
    u64 hash = versions_.version_of(node);
    for (const Node* input : address_of(node)) hash = (hash ^ input->id) * 0x9E37'79B9'7F4A'7C15;
    return hash;
  }
  bool are_same_place(const Node* a, const Node* b) const {
    std::span<Node* const> left = address_of(a), right = address_of(b);
    return versions_.version_of(a) == versions_.version_of(b) && a->access.offset == b->access.offset &&
           std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

  void access(Node* node) {
    if (node->op == Op::load_field && node->inputs[0]->op == Op::box) return replace(node, node->inputs[0]->inputs[0]);
    if (versions_.version_of(node) == 0) return;  // a volatile access
    auto [first, last] = accesses_.equal_range(hash_of_access(node));
    auto found = std::find_if(first, last, [&](const auto& entry) {
      return are_same_place(entry.second, node) && stands_before(entry.second, node);
    });
    if (is_load(node) && found != last && forward(found->second, node)) return;
    accesses_.emplace(hash_of_access(node), node);
  }

  // Replaces the load by the value that `first` has stored or loaded. If the load reads a byte, char or short and the
  // stored value is an int, the load's value is the int's lower bits.
  bool forward(Node* first, Node* load) {
    Node* value = is_store(first) ? first->inputs.back() : first;
    if (value->type != load->type) return false;
    if (is_load(first) && first->access.type != load->access.type) return false;
    Op narrow = Op::constant;
    switch (is_load(first) ? 'I' : load->access.type) {
      case 'B': narrow = Op::i2b; break;
      case 'C': narrow = Op::i2c; break;
      case 'S': narrow = Op::i2s; break;
      default: replace(load, value); return true;
    }
    load->op = narrow;
    load->inputs = graph_.make_span<Node*>(std::span<Node* const>(&value, 1));
    load->bits = 0;
    changed_ = true;
    return true;
  }

  Graph& graph_;
  MemoryVersions versions_;
  Conditions conditions_;
  std::unordered_multimap<u64, Node*> values_, accesses_;
  bool changed_ = false;
};

}  // namespace

bool number_values(Graph& graph) { return Numbering(graph).run(); }

void remove_unused(Graph& graph) {
  std::vector<bool> is_used(graph.node_count());
  std::vector<Node*> work;
  auto use = [&](Node* node) {
    if (node == nullptr || is_used[node->id]) return;
    is_used[node->id] = true;
    work.push_back(node);
  };
  auto has_effect = [](const Node* node) {
    if (node->op == Op::load_field || node->op == Op::load_raw) return node->access.is_ordered;
    return node->op != Op::box && node->has(effect::deoptimizes | effect::writes | effect::ends);
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
    if (node->state != nullptr) {
      for (FieldValues& object : node->state->objects) std::ranges::for_each(object.values, use);
    }
    for (FrameState* state = node->state; state != nullptr; state = state->outer) {
      for (Node* local : state->locals) use(local);
      for (Node* operand : state->operands) use(operand);
      use(state->coarsened_lock);
      for (HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) use(lock->object);
    }
  }
  for (Block* block : graph.blocks) {
    std::erase_if(block->nodes, [&](const Node* node) { return !is_used[node->id]; });
  }
}

}  // namespace keyhole::graph
