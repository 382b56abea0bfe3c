// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns the results of conditions, and looks them up.
#include "jit/graph/optimize/conditions.h"

#include <utility>

#include "jit/graph/ir/class_tests.h"

namespace keyhole::graph {
namespace {

// Returns a number that stands for the value in keys. Equal int constants have the same number, because each use may
// have a constant node of its own. The number of null is that of the int 0, but keys of reference comparisons differ
// from keys of int comparisons.
u64 identity_of(const Node* value) {
  constexpr u64 is_constant = u64{1} << 63;
  if (value->is_constant() && is_wide(value->type)) return value->id;
  return value->is_constant() ? is_constant | value->bits : value->id;
}

// Returns the reference that the condition compares with null, or nullptr for any other condition.
const Node* compared_with_null(const Node* condition) {
  if (condition->op != Op::compare_reference) return nullptr;
  if (condition->inputs[1]->is_constant()) return condition->inputs[0];
  return condition->inputs[0]->is_constant() ? condition->inputs[1] : nullptr;
}

// Describes a node that compares another condition's result, which is 0 or 1, with 0. The node `c != 0` holds if the
// condition c holds; the node `c == 0` is the negation of c.
struct Truth {
  const Node* condition;  // the condition c of a node `c != 0` or `c == 0`; null for any other node
  bool is_negated;        // whether the node has the form `c == 0`, the negation of c
};
Truth truth_in(const Node* condition) {
  if (condition->op != Op::compare_int || !condition->inputs[1]->is_constant(0)) return {nullptr, false};
  Op compared = condition->inputs[0]->op;
  bool is_truth = compared == Op::compare_int || compared == Op::compare_reference || is_class_test(compared);
  bool is_equal = condition->condition == Condition::Equal;
  if (!is_truth || (!is_equal && condition->condition != Condition::NotEqual)) return {nullptr, false};
  return {condition->inputs[0], is_equal};
}

}  // namespace

usize Conditions::Hash::operator()(const ConditionKey& key) const {
  u64 hash = key.what;
  for (u64 part : {key.left, key.right}) hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15;
  return hash ^ (hash >> 32);
}

Conditions::ConditionKey Conditions::key_of(const Node* condition) {
  if (condition->op != Op::compare_int && condition->op != Op::compare_reference) {
    return {static_cast<u64>(condition->op) << 8, condition->id, 0, false};
  }
  u64 left = identity_of(condition->inputs[0]), right = identity_of(condition->inputs[1]);
  Condition normal = condition->condition;
  bool is_negated = false;
  switch (normal) {
    case Condition::NotEqual:
      normal = Condition::Equal;
      is_negated = true;
      break;
    case Condition::GreaterOrEqual:
      normal = Condition::Less;
      is_negated = true;
      break;
    case Condition::LessOrEqual:
      normal = Condition::Greater;
      is_negated = true;
      break;
    default: break;
  }
  if (normal == Condition::Greater) {
    normal = Condition::Less;
    std::swap(left, right);
  }
  if (normal == Condition::Equal && left > right) std::swap(left, right);
  return {(static_cast<u64>(condition->op) << 8) | static_cast<u64>(normal), left, right, is_negated};
}

void Conditions::learn(const Node* condition, bool holds, const Block* from) {
  if (Truth truth = truth_in(condition); truth.condition != nullptr) {
    learn(truth.condition, holds != truth.is_negated, from);
  }
  ConditionKey key = key_of(condition);
  facts_[key].push_back({from, holds != key.is_negated});
  if (is_class_test(condition->op)) classes_[condition->inputs[0]].push_back({from, condition, holds});
}

void Conditions::learn_from_edge(const Block* block) {
  if (block->predecessors.size() != 1) return;
  const Block* from = block->predecessors[0];
  const Node* end = from->end();
  if (end->op != Op::branch || from->successors[0] == from->successors[1]) return;
  learn(end->inputs[0], block == from->successors[0], block);
}

std::optional<bool> Conditions::known(const Node* condition, const Block* at) const {
  ConditionKey key = key_of(condition);
  if (auto found = facts_.find(key); found != facts_.end()) {
    for (const Fact& fact : found->second) {
      if (fact.from->dominates(at)) return fact.holds != key.is_negated;
    }
  }
  if (Truth truth = truth_in(condition); truth.condition != nullptr) {
    std::optional<bool> inner = known(truth.condition, at);
    return inner.has_value() ? std::optional(*inner != truth.is_negated) : std::nullopt;
  }
  const Node* nullable = compared_with_null(condition);
  const Node* object = is_class_test(condition->op) ? condition->inputs[0] : nullable;
  auto found = object == nullptr ? classes_.end() : classes_.find(object);
  if (found == classes_.end()) return std::nullopt;
  for (const ClassFact& fact : found->second) {
    if (!fact.holds || !fact.from->dominates(at)) continue;
    bool may_be_null = fact.test->op == Op::is_castable;
    if (nullable != nullptr) {
      if (!may_be_null) return condition->condition == Condition::NotEqual;
    } else if (fact.test->op == Op::has_class) {
      return result_for(condition, fact.test->klass);
    } else if (fact.test->op != Op::selects) {
      if (auto result = result_for_subclass(condition, fact.test->klass, may_be_null)) return result;
    }
  }
  return std::nullopt;
}

}  // namespace keyhole::graph
