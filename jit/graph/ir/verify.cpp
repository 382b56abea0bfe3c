// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verifies the rules of graphs.
#include <fmt/format.h>
#include <algorithm>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), place_(graph.node_count(), nowhere) {}

  std::string run() {
    for (const Block* block : graph_.blocks) {
      for (u32 i = 0; i < block->nodes.size(); ++i) {
        if (place_[block->nodes[i]->id] != nowhere) fail(block->nodes[i], "is in two places");
        place_[block->nodes[i]->id] = i;
      }
    }
    for (const Block* block : graph_.blocks) check_block(block);
    return fault_;
  }

 private:
  static constexpr u32 nowhere = ~u32{0};

  void fail(const Node* node, std::string_view what) {
    if (fault_.empty()) fault_ = fmt::format("n{} {}: {}", node->id, row(node->op).name, what);
  }

  void check_block(const Block* block) {
    if (!block->is_ended()) fault_ = fmt::format("b{} has no end", block->id);
    for (const Block* predecessor : block->predecessors) {
      if (predecessor->id < block->id || block->dominates(predecessor)) continue;
      fault_ = fmt::format("b{} is in a loop that it does not dominate", block->id);
    }
    bool phis = true;
    for (const Node* node : block->nodes) {
      if (node->block != block) fail(node, "is in another block");
      if (node->op != Op::phi) phis = false;
      else if (!phis) fail(node, "stands after other nodes");
      if (node->has(effect::ends) != (node == block->end())) fail(node, "does not stand at the end");
      check_types(node);
      check_inputs(node);
      if (node->has(effect::deoptimizes) != (node->state != nullptr)) fail(node, "has a state, or none");
      if (node->state != nullptr) check_state(node);
    }
    usize successors = 0;
    switch (block->end()->op) {
      case Op::jump: successors = 1; break;
      case Op::branch: successors = 2; break;
      case Op::catch_:
        successors = 2;
        check_catch(block);
        break;
      case Op::switch_: successors = block->end()->switch_keys->keys.size() + 1; break;
      default: break;
    }
    if (block->successors.size() != successors) fail(block->end(), "has another number of successors");
  }

  void check_catch(const Block* block) {
    usize count = block->nodes.size();
    if (count < 2 || block->nodes[count - 2]->op != Op::call) fail(block->end(), "does not stand after a call");
    if (block->successors.size() == 2 && block->successors[1]->predecessors.size() != 1) {
      fail(block->end(), "shares its second successor");
    }
  }

  void check_types(const Node* node) {
    const NodeRow& columns = row(node->op);
    if (columns.type != '?' && type_of_letter(columns.type) != node->type) fail(node, "has another type");
    if (node->op == Op::phi) {
      if (node->inputs.size() != node->block->predecessors.size()) fail(node, "has not one input for each edge");
      for (const Node* input : node->inputs) {
        if (input->type != node->type) fail(node, "merges types");
      }
    }
    if (columns.inputs == "*") return;
    if (node->inputs.size() != columns.inputs.size()) return fail(node, "has another number of inputs");
    for (usize i = 0; i < node->inputs.size(); ++i) {
      bool any = columns.inputs[i] == '?' && node->inputs[i]->type != Type::None;
      if (!any && type_of_letter(columns.inputs[i]) != node->inputs[i]->type)
        fail(node, "has an input of another type");
    }
  }

  void check_inputs(const Node* node) {
    for (usize i = 0; i < node->inputs.size(); ++i) {
      if (node->op == Op::phi) {
        if (i >= node->block->predecessors.size()) return;
        const Block* predecessor = node->block->predecessors[i];
        if (!is_defined(node->inputs[i], predecessor, static_cast<u32>(predecessor->nodes.size()))) {
          fail(node, "an input is not defined on its edge");
        }
        if (node->inputs[i]->is_virtual()) fail(node, "needs a virtual object");
      } else {
        check_use(node, node->inputs[i]);
      }
    }
  }

  void check_use(const Node* node, const Node* value) {
    bool is_seen = (node->has(effect::calls) && value->op == Op::virtual_box) ||
                   std::ranges::find(node->inputs, value) != node->inputs.end();
    bool is_compared = value->op == Op::virtual_box && node->op == Op::compare_reference;
    if (value->is_virtual() && is_seen && !is_compared) fail(node, "needs a virtual object");
    if (!is_defined(value, node->block, place_[node->id])) fail(node, "uses what is not defined before it");
  }

  void check_state(const Node* node) {
    check_locks(node);
    for (const FrameState* state = node->state; state != nullptr; state = state->outer) {
      if (state->outer == nullptr && state->method != graph_.method()) fail(node, "leaves another method");
      for (std::span<Node*> slots : {state->locals, state->operands}) {
        for (usize i = 0; i < slots.size(); ++i) {
          if (slots[i] == nullptr) continue;
          check_use(node, slots[i]);
          check_fields(node, slots[i]);
          if (is_wide(slots[i]->type) && (i == 0 || slots[i - 1] != nullptr)) fail(node, "has a value in a lower slot");
        }
      }
      for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
        check_use(node, lock->object);
        check_fields(node, lock->object);
      }
      if (state->coarsened_lock != nullptr) check_use(node, state->coarsened_lock);
    }
    for (const FieldValues& object : node->state->objects) {
      if (object.values.size() != object.object->layout->fields.size()) fail(node, "has not the fields of an object");
      for (const Node* value : object.values) {
        check_use(node, value);
        check_fields(node, value);
      }
    }
  }
  void check_locks(const Node* node) {  // frame_state.h S8
    bool is_inside = false;
    for (const FrameState* state = node->state; state != nullptr; state = state->outer) {
      for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
        bool is_scalar_replaced = lock->object->op == Op::virtual_object;
        if (is_scalar_replaced && is_inside)
          fail(node, "holds a monitor in the region of an object that is not allocated");
        is_inside |= !is_scalar_replaced;
      }
    }
  }
  void check_fields(const Node* node, const Node* value) {  // frame_state.h S5
    if (value->op != Op::virtual_object) return;
    if (std::ranges::find(node->state->objects, value, &FieldValues::object) == node->state->objects.end())
      fail(node, "does not know the fields of an object");
  }

  bool is_defined(const Node* value, const Block* block, u32 before) const {
    if (place_[value->id] == nowhere) return false;
    return value->block == block ? place_[value->id] < before : value->block->dominates(block);
  }

  const Graph& graph_;
  std::vector<u32> place_;  // the node's place in its block, by node id
  std::string fault_;
};

}  // namespace

std::string verify(const Graph& graph) { return Verifier(graph).run(); }

}  // namespace keyhole::graph
