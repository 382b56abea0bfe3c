// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Simplification: rules that rewrite one node, depending on its inputs.
#include <algorithm>

#include "jit/graph/ir/class_tests.h"
#include "jit/graph/ir/evaluate.h"
#include "jit/graph/optimize/phases.h"
#include "runtime/object/klass.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/link/well_known.h"

namespace keyhole::graph {
namespace {

class Simplifier {
 public:
  explicit Simplifier(Graph& graph) : graph_(graph) {}

  bool run() {
    for (Block* block : graph_.blocks) {
      for (usize i = 0; i < block->nodes.size(); ++i) {
        Node* node = block->nodes[i];
        for (Node*& input : node->inputs) input = Graph::current(input);
        if (!node->has(effect::pure)) continue;
        fold(node);
        if (!node->is_constant()) simplify(node);
      }
      drop_guards(block);
      decide(block);
    }
    if (changed_) {
      graph_.resolve_replacements();
      graph_.order_blocks();
      graph_.remove_redundant_phis();
    }
    return changed_;
  }

 private:
  // Turns the node into a constant.
  void become(Node* node, u64 bits) {
    node->op = Op::constant;
    node->inputs = {};
    node->bits = bits;
    changed_ = true;
  }
  void replace(Node* node, Node* other) {
    Graph::replace(node, other);
    changed_ = true;
  }

  void fold(Node* node) {
    u64 bits[2];
    if (node->inputs.empty() || node->inputs.size() > std::size(bits)) return;
    for (usize i = 0; i < node->inputs.size(); ++i) {
      if (!node->inputs[i]->is_constant()) return;
      bits[i] = node->inputs[i]->bits;
    }
    if (node->op == Op::compare_reference) {  // null is the only constant of a reference type, so both inputs are null
      return become(node, (bits[0] == bits[1]) == (node->condition == Condition::Equal) ? 1 : 0);
    }
    if (std::optional<u64> value = evaluate(*node, std::span(bits, node->inputs.size()))) become(node, *value);
  }

  // Rewrites an integer node by algebraic rules. The rules do not hold for floating-point numbers: 0.0 + -0.0 and NaN
  // break them.
  void simplify(Node* node) {
    Node* left = node->inputs.empty() ? nullptr : node->inputs[0];
    Node* right = node->inputs.size() < 2 ? nullptr : node->inputs[1];
    bool same = right != nullptr && left == right;
    auto right_is = [&](i64 value) {
      return right->is_constant(right->type == Type::Int ? static_cast<u32>(value) : static_cast<u64>(value));
    };
    switch (node->op) {
      case Op::iadd:
      case Op::ladd:
      case Op::ior:
      case Op::lor:
      case Op::ixor:
      case Op::lxor:
        if (left->is_constant(0)) return replace(node, right);
        if (right->is_constant(0)) return replace(node, left);
        if (same && (node->op == Op::ixor || node->op == Op::lxor)) return become(node, 0);
        if (same && (node->op == Op::ior || node->op == Op::lor)) return replace(node, left);
        return;
      case Op::isub:
      case Op::lsub:
        if (same) return become(node, 0);
        if (right->is_constant(0)) return replace(node, left);
        return;
      case Op::ishl:
      case Op::ishr:
      case Op::iushr:
      case Op::lshl:
      case Op::lshr:
      case Op::lushr:
        if (right->is_constant(0)) return replace(node, left);
        return;
      case Op::imul:
      case Op::lmul:
        if (right_is(1)) return replace(node, left);
        if (right_is(0)) return become(node, 0);
        return;
      case Op::iand:
      case Op::land:
        if (same || right_is(-1)) return replace(node, left);
        if (right_is(0)) return become(node, 0);
        return;
      case Op::idiv:
      case Op::ldiv:
        if (right_is(1)) return replace(node, left);
        return;
      case Op::compare_int:
        if (same) return become(node, holds(node->condition, 0, 0) ? 1 : 0);
        return simplify_comparison(node, left, right);
      case Op::compare_reference:
        if (same) return become(node, node->condition == Condition::Equal ? 1 : 0);
        if (left->op == Op::mirror_of && right->op == Op::mirror) return simplify_class(node, left, right);
        if (right->op == Op::mirror_of && left->op == Op::mirror) return simplify_class(node, right, left);
        if ((left->is_never_null && right->is_constant()) || (right->is_never_null && left->is_constant())) {
          become(node, node->condition == Condition::Equal ? 0 : 1);
        }
        return;
      case Op::is_instance:
      case Op::is_castable:
      case Op::has_class:
      case Op::selects:
        if (left->is_constant()) return become(node, node->op == Op::is_castable ? 1 : 0);
        if (const Klass* klass = class_of(left)) become(node, result_for(node, klass) ? 1 : 0);
        return;
      case Op::can_store:
        if (right->is_constant()) return become(node, 1);
        if (const Klass* array = class_of(left); array != nullptr && array->is_array())
          simplify_store_check(node, array->as_array()->component, right);
        return;
      case Op::byte_for_array:
        if (const Klass* klass = class_of(left)) return simplify_byte(node, klass, right);
        return;
      case Op::array_length:
        if (left->op == Op::new_array) replace(node, left->inputs[0]);
        return;
      default: return;
    }
  }

  // Simplifies the check of a store into an array whose class is known.
  void simplify_store_check(Node* node, const Klass* component, const Node* value) {
    if (component == well_known::Object_class) return become(node, 1);
    if (const Klass* klass = class_of(value)) return become(node, klass->is_subtype_of(component) ? 1 : 0);
    node->op = Op::is_castable;
    node->klass = component;
    node->inputs = node->inputs.subspan(1);
    changed_ = true;
  }

  // Simplifies a comparison of an object's class with a constant class.
  void simplify_class(Node* node, Node* of_object, const Node* mirror) {
    if (node->condition != Condition::Equal) return;
    node->op = Op::has_class;
    node->klass = mirror->klass;
    node->inputs = graph_.make_span<Node*>(std::span<Node* const>(&of_object->inputs[0], 1));
    changed_ = true;
  }

  // Simplifies the value of a bastore into an array whose class is known.
  void simplify_byte(Node* node, const Klass* klass, Node* value) {
    if (klass->id != boolean_array_klass_id) return replace(node, value);
    Node* one = graph_.make(Op::constant, Type::Int);
    one->bits = 1;
    one->block = node->block;
    auto& nodes = node->block->nodes;
    nodes.insert(std::find(nodes.begin(), nodes.end(), node), one);
    node->op = Op::iand;
    node->inputs[0] = value;
    node->inputs[1] = one;
    changed_ = true;
  }

  // Simplifies a comparison with 0 whose other operand is an array length or the result of a condition.
  void simplify_comparison(Node* node, Node* left, Node* right) {
    if (!right->is_constant(0)) return;
    if (left->op == Op::array_length && node->condition == Condition::GreaterOrEqual) return become(node, 1);
    if (left->op == Op::array_length && node->condition == Condition::Less) return become(node, 0);
    bool is_truth = left->op == Op::compare_int || left->op == Op::compare_reference || is_class_test(left->op);
    if (is_truth && node->condition == Condition::NotEqual) replace(node, left);
  }

  // Drops a guard that always holds. Replaces a guard that always fails by an uncommon trap, which makes the code after
  // it unreachable.
  void drop_guards(Block* block) {
    auto& nodes = block->nodes;
    for (usize i = 0; i < nodes.size(); ++i) {
      Node* node = nodes[i];
      if (node->op != Op::guard || !Graph::current(node->inputs[0])->is_constant()) continue;
      changed_ = true;
      if (Graph::current(node->inputs[0])->bits != 0) {
        nodes.erase(nodes.begin() + static_cast<i64>(i--));
        continue;
      }
      node->op = Op::uncommon_trap;  // the deopt reason stays
      node->inputs = {};
      nodes.resize(i + 1);
      while (!block->successors.empty()) disconnect(block, block->successors.size() - 1);
      return;
    }
  }

  void decide(Block* block) {
    Node* end = block->end();
    if (end->op != Op::branch || !Graph::current(end->inputs[0])->is_constant()) return;
    disconnect(block, Graph::current(end->inputs[0])->bits != 0 ? 1 : 0);
    end->op = Op::jump;
    end->inputs = {};
    changed_ = true;
  }

  // Removes an edge from the lists of both blocks. If several edges connect two blocks, they have the same order in
  // both lists.
  void disconnect(Block* from, usize number) {
    Block* to = from->successors[number];
    auto before = std::count(from->successors.begin(), from->successors.begin() + static_cast<i64>(number), to);
    usize edge = 0;
    while (to->predecessors[edge] != from || before-- != 0) ++edge;
    from->successors.erase(from->successors.begin() + static_cast<i64>(number));
    to->predecessors.erase(to->predecessors.begin() + static_cast<i64>(edge));
    for (Node* node : to->nodes) {
      if (node->op != Op::phi) break;
      std::copy(node->inputs.begin() + static_cast<i64>(edge) + 1, node->inputs.end(),
                node->inputs.begin() + static_cast<i64>(edge));
      node->inputs = node->inputs.first(node->inputs.size() - 1);
    }
  }

  Graph& graph_;
  bool changed_ = false;
};

}  // namespace

bool simplify(Graph& graph) { return Simplifier(graph).run(); }

}  // namespace keyhole::graph
