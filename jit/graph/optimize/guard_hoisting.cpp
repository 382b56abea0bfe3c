// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop-invariant guard hoisting: checks that do not depend on the iteration move to the preheader.
//
//     before: loop_entry @header [locals | operands]          before: guard not_null n5 @header [...]
//     loop:   n7 = phi init, n9                        ──>            guard 0 <= init, limit <= length @header [...]
//             branch n7 < limit                               loop:   n7 = phi init, n9
//             guard not_null n5; guard n7 below length                branch n7 < limit
//             n9 = iadd n7 1                                          n9 = iadd n7 1
//
// A check of an expression that is linear in the counter becomes one check before the loop. Examples are "row * columns
// + n7" and "n7 * columns + column". The expression may also be linear in a phi that has a constant stride but no
// limit, if another phi of the loop is a counter. A branch with an uncommon trap on one side counts as a guard.
//
// A hoisted guard may fail although the guard in the loop would not. The interpreter then executes the loop from its
// header. If that happens often, the recompiled code keeps the guard in the loop (DeoptReason::Hoisted,
// BuildOptions::has_failed).
//
// O1: only nodes without side effects move: guards, pure nodes, and loads of memory that the loop does not write.
// O2: a node that reads an object moves only if the object is known not to be null before the loop. No node moves out
//     of a block that is executed only after a class check in the loop, because before that check the object may be of
//     another class.
// O3: a division moves only if its divisor is known not to be 0 before the loop.
// O4: no reference moves out of a loop with calls: it would live across them without a stack slot.
#include <algorithm>

#include "jit/graph/ir/class_tests.h"
#include "jit/graph/optimize/conditions.h"
#include "jit/graph/optimize/counters.h"
#include "jit/graph/optimize/memory.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

bool tests_class(const Node* condition) {
  if (is_class_test(condition->op)) return true;
  return condition->op == Op::compare_int && is_class_test(condition->inputs[0]->op);
}

class Loop {
 public:
  Loop(Graph& graph, Block* header, Node* entry, MemoryVersions& versions, Conditions& conditions)
      : graph_(graph), header_(header), before_(entry->block), entry_(entry), versions_(versions),
        conditions_(conditions), is_in_(blocks_of_loop(graph, header)) {
    find_calls();
  }

  bool run() {
    for (Block* block : graph_.blocks) {
      if (!is_in_[block->id] || depends_on_class(block)) continue;
      // `i` is the index of the visited node in its block. If visit_check() removes nodes from the block, it subtracts
      // their number from `i`.
      for (usize i = 0; i < block->nodes.size();) {
        Node* node = block->nodes[i];
        usize size = block->nodes.size();
        if (node->op == Op::guard || node->op == Op::branch) visit_check(node);
        if (block->nodes.size() == size) ++i;
        else i -= std::min(i, size - block->nodes.size() - 1);
      }
    }
    return changed_;
  }

 private:
  void find_calls() {
    for (const Block* block : graph_.blocks) {
      if (!is_in_[block->id]) continue;
      calls_ |= std::ranges::any_of(block->nodes, [](const Node* node) { return node->has(effect::calls); });
    }
  }

  // O2: whether a branch of the loop that tests an object's class dominates the block.
  bool depends_on_class(const Block* block) const {
    for (; block != header_; block = block->dominator) {
      const Node* end = block->dominator->end();
      if (end->op == Op::branch && tests_class(end->inputs[0])) return true;
    }
    return false;
  }

  bool is_outside(const Node* node) const { return !is_in_[node->block->id]; }

  // --- values that can be computed before the loop -------------------------------------------------------------------

  bool is_never_null(Node* object) const {
    if (object->is_never_null || class_of(object) != nullptr) return true;
    Node null(Op::constant, Type::Reference, 0);
    Node* inputs[] = {object, &null};
    Node condition(Op::compare_reference, Type::Int, 0);
    condition.inputs = inputs;
    condition.condition = Condition::NotEqual;
    return conditions_.known(&condition, before_) == true;
  }
  bool is_below(Node* index, Node* length) const {
    Node* inputs[] = {index, length};
    Node condition(Op::compare_int, Type::Int, 0);
    condition.inputs = inputs;
    condition.condition = Condition::Below;
    return conditions_.known(&condition, before_) == true;
  }

  // Whether the divisor is known not to be zero before the loop, so that the division cannot trap in the preheader.
  bool is_never_zero(Node* divisor) const {
    if (divisor->is_constant()) return divisor->bits != 0;
    auto sign = std::ranges::find_if(signs_, [divisor](const Node* node) { return node->inputs[0] == divisor; });
    if (divisor->type == Type::Long && sign == signs_.end()) return false;
    Node zero(Op::constant, Type::Int, 0);
    Node* inputs[] = {divisor->type == Type::Long ? *sign : divisor, &zero};
    Node condition(Op::compare_int, Type::Int, 0);
    condition.inputs = inputs;
    condition.condition = Condition::NotEqual;
    return conditions_.known(&condition, before_) == true;
  }

  bool can_move(Node* node, u32 depth = 0) const {
    constexpr u32 deepest = 8;
    if (is_outside(node)) return true;
    if (depth > deepest || node->op == Op::phi) return false;
    if (node->type == Type::Reference && calls_) return false;  // O4
    bool reads_object = false;
    switch (node->op) {
      case Op::idiv:
      case Op::irem:
      case Op::ldiv:
      case Op::lrem:
        if (!is_never_zero(node->inputs[1])) return false;  // O3
        break;
      case Op::load_field:
      case Op::load_element:
        if (node->access.is_ordered || versions_.is_written_in(header_, node)) return false;
        reads_object = true;
        break;
      case Op::array_length:
      case Op::has_class:
      case Op::selects:
      case Op::has_no_finalizer: reads_object = true; break;
      case Op::can_store:
      case Op::byte_for_array: return false;
      default:
        if (!node->has(effect::pure)) return false;
    }
    for (Node* input : node->inputs) {
      if (!can_move(input, depth + 1)) return false;
    }
    if (!reads_object) return true;
    if (!is_never_null(node->inputs[0])) return false;
    if (node->op != Op::load_element) return true;
    Node* length = length_of(node->inputs[0]);
    return length != nullptr && is_below(node->inputs[1], length);
  }

  // The array_length node of the array that a visited bounds check uses; null if there is none.
  Node* length_of(const Node* array) const {
    auto found = std::ranges::find_if(lengths_, [array](const Node* node) { return node->inputs[0] == array; });
    return found == lengths_.end() ? nullptr : *found;
  }

  void move(Node* node) {
    if (is_outside(node)) return;
    for (Node* input : node->inputs) move(input);
    std::erase(node->block->nodes, node);
    add_before(node);
  }
  void add_before(Node* node) {
    node->block = before_;
    before_->nodes.insert(before_->nodes.end() - 1, node);
    changed_ = true;
  }
  Node* make_before(Op op, std::initializer_list<Node*> inputs) {
    bool is_known = row(op).type != '?' && row(op).type != '-';
    Type type = is_known ? type_of_letter(row(op).type) : Type::Int;
    Node* node = graph_.make(op, type, std::span(inputs.begin(), inputs.size()));
    add_before(node);
    return node;
  }
  Node* constant_before(i32 value) {
    Node* node = make_before(Op::constant, {});
    node->bits = static_cast<u32>(value);
    return node;
  }
  void guard_before(Condition condition, Node* left, Node* right) {
    Node* compared = make_before(Op::compare_int, {left, right});
    compared->condition = condition;
    guard_before(compared, true);
  }
  void guard_before(Node* condition, bool result) {
    Node* guard = make_before(Op::guard, {result ? condition : negated_before(condition)});
    guard->type = Type::None;
    guard->state = entry_->state;
    guard->reason = DeoptReason::Hoisted;
    conditions_.learn(condition, result, before_);
  }
  Node* negated_before(Node* condition) {
    bool compares = condition->op == Op::compare_int || condition->op == Op::compare_reference;
    std::optional<Condition> inverse = compares ? negated(condition->condition) : std::nullopt;
    Node* node = inverse ? make_before(condition->op, {condition->inputs[0], condition->inputs[1]})
                         : make_before(Op::compare_int, {condition, constant_before(0)});
    node->condition = inverse.value_or(Condition::Equal);
    return node;
  }

  // --- guards --------------------------------------------------------------------------------------------------------

  // Hoists the check if possible. A check is a guard, or a branch with an uncommon trap on one side.
  void visit_check(Node* check) {
    std::optional<bool> result = check->op == Op::guard ? true : value_that_stays(check);
    if (!result) return;
    Node* condition = check->inputs[0];
    note_length(condition);
    note_sign(condition);
    if (can_move(condition)) {
      move(condition);
      guard_before(condition, *result);
      drop(check, *result);
    } else if (condition->op == Op::compare_int) {
      if (std::optional<Condition> held = *result ? condition->condition : negated(condition->condition))
        check_count(check, *result, condition->inputs[0], *held, condition->inputs[1]);
    }
  }
  void note_length(Node* condition) {
    if (condition->op != Op::compare_int || condition->condition != Condition::Below) return;
    Node* length = condition->inputs[1];
    if (length->op == Op::array_length && length_of(length->inputs[0]) == nullptr) lengths_.push_back(length);
  }

  // If a check tests that a long is not 0, notes the lcmp node of the check for is_never_zero().
  void note_sign(Node* condition) {
    if (condition->op != Op::compare_int || condition->inputs[0]->op != Op::lcmp) return;
    Node* sign = condition->inputs[0];
    if (sign->inputs[1]->is_constant(0) && condition->inputs[1]->is_constant(0)) signs_.push_back(sign);
  }

  static std::optional<bool> value_that_stays(const Node* branch) {
    auto is_trap = [branch](usize path) {
      return branch->block->successors[path]->nodes.front()->op == Op::uncommon_trap;
    };
    if (is_trap(0) == is_trap(1)) return std::nullopt;
    return is_trap(1);
  }

  // Drops a check whose result is known from guards before the loop. A guard is removed from its block. A branch gets a
  // constant condition, and simplify() removes the branch later.
  void drop(Node* check, bool result) {
    if (check->op == Op::guard) std::erase(check->block->nodes, check);
    else check->inputs[0] = constant_before(result ? 1 : 0);
    changed_ = true;
  }

  // Counter: a phi of the loop's header that counts up or down to a limit.
  struct Counter {
    Node *phi, *first, *limit;
    Stride stride;
    bool goes_up, includes_limit;
  };

  // Returns the phi's stride, if all back edges add the same stride. Sets `first` to the phi's value before the first
  // iteration.
  std::optional<Stride> stride_in_loop(const Node* phi, Node*& first) const {
    if (phi->op != Op::phi || phi->block != header_) return std::nullopt;
    std::optional<Stride> stride;
    first = nullptr;
    for (usize edge = 0; edge < header_->predecessors.size(); ++edge) {
      if (header_->predecessors[edge] == before_) {
        first = phi->inputs[edge];
        continue;
      }
      std::optional<Stride> found = stride_of(phi->inputs[edge], phi);
      if (!found || (stride && *stride != *found)) return std::nullopt;
      stride = found;
    }
    return first == nullptr ? std::nullopt : stride;
  }

  // Describes the phi as a counter. The phi needs a usable stride, and a condition on the path from the header to the
  // block `at` has to limit the phi; otherwise returns nothing. This condition has held in each iteration, so a stride
  // of one does not overflow. check_stride() checks larger strides.
  std::optional<Counter> counter_of(Node* phi, const Block* at) const {
    Counter counter{};
    counter.phi = phi;
    std::optional<Stride> stride = stride_in_loop(phi, counter.first);
    if (!stride) return std::nullopt;
    if (stride->value == nullptr ? stride->constant < -1 || stride->constant == 0 : !can_move(stride->value))
      return std::nullopt;
    counter.stride = *stride;
    counter.goes_up = stride->value != nullptr || stride->constant > 0;
    for (const Block* block = at; block != header_; block = block->dominator) {
      const Block* from = block->dominator;
      if (from->end()->op != Op::branch || block->predecessors.size() != 1 || !is_in_every_iteration(block)) continue;
      if (std::optional<Condition> held =
              held_for(from->end()->inputs[0], phi, block == from->successors[0], counter.limit)) {
        bool fits = counter.goes_up ? *held == Condition::Less || *held == Condition::LessOrEqual
                                    : *held == Condition::Greater || *held == Condition::GreaterOrEqual;
        if (!fits || !can_move(counter.limit)) continue;
        counter.includes_limit = *held == Condition::LessOrEqual || *held == Condition::GreaterOrEqual;
        return counter;
      }
    }
    return std::nullopt;
  }

  // Range: the values that a phi takes from the first iteration to the last. The number of iterations follows from a
  // counter, which may be the phi itself.
  struct Range {
    Counter counter;
    Node* first;   // the phi's first value
    i64 step = 0;  // 0 if the phi is the counter itself, otherwise the phi's stride
    bool is_counter() const { return step == 0; }
    bool goes_up() const { return is_counter() ? counter.goes_up : step > 0; }
  };
  std::optional<Range> range_of(Node* phi, const Block* at) const {
    if (std::optional<Counter> counter = counter_of(phi, at)) return Range{*counter, counter->first};
    Node* first;
    std::optional<Stride> stride = stride_in_loop(phi, first);
    if (!stride || stride->value != nullptr || stride->constant == 0) return std::nullopt;
    for (Node* other : header_->nodes) {
      if (other->op != Op::phi) break;
      std::optional<Counter> counter = other == phi || other->type != Type::Int ? std::nullopt : counter_of(other, at);
      if (!counter || counter->stride.value != nullptr || std::abs(counter->stride.constant) != 1) continue;
      return Range{*counter, first, stride->constant};
    }
    return std::nullopt;
  }

  bool is_in_every_iteration(const Block* block) const {
    return std::ranges::all_of(header_->predecessors,
                               [&](const Block* from) { return from == before_ || block->dominates(from); });
  }

  // Replaces a check of a linear expression in the loop by guards before the loop. If these pass, the check holds in
  // all iterations.
  void check_count(Node* check, bool result, Node* index, Condition held, Node* bound) {
    if (!can_move(bound)) {
      std::optional<Condition> other = exchanged(held);
      if (!other || !can_move(index)) return;
      held = *other;
      std::swap(index, bound);
    }
    Linear linear;
    if (!decompose(index, linear, false) || linear.phi == nullptr) return;
    std::optional<Range> range = range_of(linear.phi, check->block);
    if (!range || !can_check(linear, held)) return;
    move(range->counter.limit);
    move(bound);
    check_stride(range->counter);
    if (held == Condition::Below && range->is_counter() && linear.is_counter_and_constant() &&
        is_small(linear.constant) && (linear.constant == 0 || is_length(bound)))
      check_ends(range->counter, static_cast<i32>(linear.constant), bound);
    else check_linear(*range, linear, held, bound);
    drop(check, result);
  }

  // Adds a guard before the loop. The guard fails if the counter could overflow when it takes its last step, after
  // which the loop's condition is false.
  void check_stride(const Counter& counter) {
    const Stride& stride = counter.stride;
    if (stride.value == nullptr && (stride.constant == 1 || stride.constant == -1)) return;
    // The counter's largest value in the loop is the limit, or limit - 1 if the loop's condition excludes the limit.
    // This value plus the stride must not exceed the largest int. So the guard checks limit <= end - stride, where
    // `end` is the largest int, or the largest int plus 1 if the condition excludes the limit.
    u32 end = counter.includes_limit ? 0x7FFF'FFFF : 0x8000'0000;
    Node* most = constant_before(static_cast<i32>(end - static_cast<u32>(stride.constant)));
    if (stride.value != nullptr) {
      move(stride.value);
      guard_before(Condition::Greater, stride.value, constant_before(0));
      most = make_before(Op::isub, {constant_before(static_cast<i32>(end)), stride.value});
    }
    guard_before(Condition::LessOrEqual, counter.limit, most);
  }

  static bool is_small(i64 offset) {
    constexpr i64 largest_offset = 1000;
    return offset >= -largest_offset && offset <= largest_offset;
  }

  // Adds the guards before the loop for an index that is the counter plus a small constant.
  void check_ends(const Counter& counter, i32 offset, Node* length) {
    Node* low = counter.goes_up ? counter.first : counter.limit;
    Node* high = counter.goes_up ? counter.limit : counter.first;
    bool low_counts = counter.goes_up || counter.includes_limit;
    bool high_counts = !counter.goes_up || counter.includes_limit;
    // The counter lies between `low` and `high`, so the guards are low + offset >= 0 and high + offset < length. If the
    // loop's condition excludes the limit, the counter stops at least one before the limit. If length - offset
    // overflows, the result is negative, so the guard fails, which is safe.
    guard_before(Condition::GreaterOrEqual, low, constant_before(low_counts ? -offset : -offset - 1));
    Node* room = offset == 0 ? length : make_before(Op::isub, {length, constant_before(offset)});
    guard_before(high_counts ? Condition::Less : Condition::LessOrEqual, high, room);
  }

  // An expression that is linear in a phi: phi * factor + terms + constant. The factor and the terms can be computed
  // before the loop.
  struct Linear {
    Node* phi = nullptr;
    Node* factor = nullptr;
    struct Term {
      Node* value;
      bool is_negative;
    };
    std::vector<Term> terms;
    i64 constant = 0;
    bool is_counter_and_constant() const { return factor == nullptr && terms.empty(); }
  };

  bool decompose(Node* index, Linear& linear, bool is_negative) {
    constexpr usize most_terms = 4;
    if (index->op == Op::iadd || index->op == Op::isub) {
      return decompose(index->inputs[0], linear, is_negative) &&
             decompose(index->inputs[1], linear, is_negative != (index->op == Op::isub));
    }
    if (index->is_constant()) {
      i64 value = static_cast<i32>(index->bits);
      linear.constant += is_negative ? -value : value;
      return true;
    }
    if (can_move(index)) {
      linear.terms.push_back({index, is_negative});
      return linear.terms.size() <= most_terms;
    }
    if (linear.phi != nullptr || is_negative) return false;
    linear.phi = index;
    if (index->op != Op::imul) return true;
    for (usize i : {0, 1}) {
      if (index->inputs[i]->op != Op::phi || !can_move(index->inputs[1 - i])) continue;
      linear.phi = index->inputs[i];
      linear.factor = index->inputs[1 - i];
      return true;
    }
    return false;
  }

  // Adds the guards before the loop for a check of a linear expression. In every iteration the value of the expression
  // lies between its values in the first and the last iteration. The guards compute these two values as longs, which do
  // not overflow. In the loop the expression is an int, the lower half of the long value. So the int equals the long in
  // every iteration if the first and the last value fit into ints. If the loop has no iteration, the guards pass.
  void check_linear(const Range& range, const Linear& linear, Condition held, Node* bound) {
    const Counter& counter = range.counter;
    // If the loop's condition includes the limit, and the limit is the largest int (the smallest int when counting
    // down), the loop does not end, because the counter wraps around. So a guard excludes this limit.
    if (counter.includes_limit)
      guard_before(Condition::NotEqual, counter.limit, constant_before(counter.goes_up ? INT32_MAX : INT32_MIN));
    if (linear.factor != nullptr) move(linear.factor);
    for (const Linear::Term& term : linear.terms) move(term.value);
    Node* last = as_long(counter.limit);
    if (!counter.includes_limit) last = make_before(counter.goes_up ? Op::lsub : Op::ladd, {last, long_before(1)});
    if (!range.is_counter()) last = last_of(range, last);
    Node* one = at_count(linear, as_long(range.first));
    Node* other = at_count(linear, last);
    Node *least = make_before(Op::lmin, {one, other}), *greatest = make_before(Op::lmax, {one, other});
    Node* limit = as_long(bound);
    if (held == Condition::NotEqual) held = range.goes_up() ? Condition::Less : Condition::Greater;
    bool bounds_least = held == Condition::Greater || held == Condition::GreaterOrEqual;
    Node *low, *high;
    if (bounds_least) {
      low = compare_longs(held, least, limit);
      high = compare_longs(Condition::LessOrEqual, greatest, long_before(INT32_MAX));
    } else {
      low = compare_longs(Condition::GreaterOrEqual, least, long_before(held == Condition::Below ? 0 : INT32_MIN));
      high = compare_longs(held == Condition::Below ? Condition::Less : held, greatest, limit);
    }
    Node* is_empty = make_before(Op::compare_int, {counter.first, counter.limit});
    if (counter.goes_up) is_empty->condition = counter.includes_limit ? Condition::Greater : Condition::GreaterOrEqual;
    else is_empty->condition = counter.includes_limit ? Condition::Less : Condition::LessOrEqual;
    Node* both = make_before(Op::iand, {low, high});
    guard_before(make_before(Op::ior, {both, is_empty}), true);
  }
  // Returns the phi's value in the last iteration. The counter's stride is one, so the counter and its limit give the
  // number of iterations.
  Node* last_of(const Range& range, Node* last_count) {
    Node* first_count = as_long(range.counter.first);
    Node* steps = range.counter.goes_up ? make_before(Op::lsub, {last_count, first_count})
                                        : make_before(Op::lsub, {first_count, last_count});
    Node* added = range.step == 1 ? steps : make_before(Op::lmul, {steps, long_before(range.step)});
    return make_before(Op::ladd, {as_long(range.first), added});
  }
  // Whether check_linear() can check the condition in front of the loop. check_linear() cannot check ==. In place of !=
  // it checks a stronger condition: < if the expression grows with the iterations, > if the expression shrinks. If the
  // expression has a factor, the direction is unknown, so check_linear() cannot check != then.
  static bool can_check(const Linear& linear, Condition held) {
    return held != Condition::Equal && (held != Condition::NotEqual || linear.factor == nullptr);
  }
  Node* at_count(const Linear& linear, Node* count) {
    Node* value = linear.factor == nullptr ? count : make_before(Op::lmul, {count, as_long(linear.factor)});
    for (const Linear::Term& term : linear.terms)
      value = make_before(term.is_negative ? Op::lsub : Op::ladd, {value, as_long(term.value)});
    return linear.constant == 0 ? value : make_before(Op::ladd, {value, long_before(linear.constant)});
  }
  Node* as_long(Node* value) { return make_before(Op::i2l, {value}); }
  Node* long_before(i64 value) {
    Node* node = make_before(Op::constant, {});
    node->type = Type::Long;
    node->bits = static_cast<u64>(value);
    return node;
  }
  Node* compare_longs(Condition condition, Node* left, Node* right) {
    Node* node = make_before(Op::compare_int, {make_before(Op::lcmp, {left, right}), constant_before(0)});
    node->condition = condition;
    return node;
  }

  static bool is_length(const Node* node) {
    return node->op == Op::array_length || (node->is_constant() && static_cast<i32>(node->bits) >= 0);
  }

  Graph& graph_;
  Block* const header_;
  Block* const before_;
  Node* const entry_;
  MemoryVersions& versions_;
  Conditions& conditions_;
  std::vector<bool> is_in_;
  std::vector<Node*> lengths_;
  std::vector<Node*> signs_;  // lcmp nodes whose check tests that a long is not 0
  bool calls_ = false, changed_ = false;
};

}  // namespace

bool hoist_guards(Graph& graph) {
  MemoryVersions versions(graph);
  Conditions conditions;
  for (Block* block : graph.blocks) {
    conditions.learn_from_edge(block);
    for (const Node* node : block->nodes) {
      if (node->op == Op::guard) conditions.learn(node->inputs[0], true, block);
    }
  }
  bool changed = false;
  // Visits the headers from the last block to the first. So an inner loop comes before the loops around it.
  for (usize i = graph.blocks.size(); i-- > 0;) {
    Block* header = graph.blocks[i];
    Block* block = header->is_loop_header ? before_loop(header) : nullptr;
    Node* entry = block == nullptr ? nullptr : loop_entry_in(block);
    if (entry != nullptr) changed = Loop(graph, header, entry, versions, conditions).run() || changed;
  }
  return changed;
}

}  // namespace keyhole::graph
