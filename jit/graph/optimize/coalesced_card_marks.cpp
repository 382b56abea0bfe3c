// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Coalesced card marks: a loop that stores references into neighbouring elements marks their cards before it begins
// (gc/barrier.h).
//
//     before: n12 = bound of n7            before: n12 = bound of n7
//        v                                         mark_elements n0, n8 .. n8 + (n12 - n7)
//     header: n7 < n12? ──no──>               v
//        ^      yes                         header: n7 < n12? ──no──>
//        └── store_element n0 n8 n5           ^      yes
//            n7 + 1, n8 + 1                   └── store_element n0 n8 n5 (marked)
//
// Without its card marks, such a loop is often so small that LLVM unrolls or vectorizes it.
//
// C1: no safepoint lies between the card marks and the last store (B3 of gc/barrier.h). The loop has no poll and no
//     call, and no monitor operation, which lowering could turn into a call. If the loop deoptimizes, the cards of all
//     its stores are marked.
// C2: more cards may be marked than elements are stored: a loop may end early, or store on some paths only. The node
//     clips its range to the array's elements.
// C3: the array is known not to be null before the loop, because it was allocated or its length was read.
// C4: the range is computed with longs, but the loop's index, a phi plus a constant distance, wraps as an int. If the
//     distance is -1 or more, a wrapped index is negative or the largest int. No array has such an index, so the range
//     covers all elements that are stored. With a smaller distance a wrapped index could be the index of an element, so
//     the store is not changed.
#include "jit/graph/optimize/counters.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

class StoringLoop {
 public:
  StoringLoop(Graph& graph, Block* header, Block* before)
      : graph_(graph), header_(header), before_(before), before_edge_(header->predecessors[0] == before ? 0 : 1),
        is_in_(blocks_of_loop(graph, header)) {}

  bool run() {
    if (header_->predecessors.size() != 2 || !find_stores() || !find_counter()) return false;
    bool changed = false;
    for (Node* store : stores_) changed = coalesce(store) || changed;
    return changed;
  }

 private:
  // C1: finds the stores whose cards are to be marked before the loop. Returns false if a node of the loop could reach
  // a safepoint.
  bool find_stores() {
    for (const Block* block : graph_.blocks) {
      if (!is_in_[block->id]) continue;
      if (block != header_ && block->is_loop_header) return false;
      for (Node* node : block->nodes) {
        if (node->has(effect::calls) || node->op == Op::poll || node->op == Op::monitor_enter ||
            node->op == Op::monitor_exit)
          return false;
        if (node->op == Op::store_element && node->access.type == 'A' && !node->card_is_marked) stores_.push_back(node);
      }
    }
    return !stores_.empty();
  }

  bool is_outside(const Node* node) const { return !is_in_[node->block->id]; }

  // Returns the constant that each iteration adds to the phi, or 0 if the node is no phi of the header or has no such
  // constant.
  i32 stride_of_phi(const Node* phi) const {
    if (phi->op != Op::phi || phi->block != header_) return 0;
    std::optional<Stride> stride = stride_of(phi->inputs[1 - before_edge_], phi);
    return stride && stride->value == nullptr ? stride->constant : 0;
  }

  // Finds the loop's counter: a phi that goes up or down by 1, and that the branch of the header compares with a limit.
  bool find_counter() {
    Node* end = header_->end();
    if (end->op != Op::branch || is_in_[header_->successors[0]->id] == is_in_[header_->successors[1]->id]) return false;
    bool stays_if = is_in_[header_->successors[0]->id];
    for (Node* phi : header_->nodes) {
      if (phi->op != Op::phi) break;
      i32 stride = stride_of_phi(phi);
      if (stride != 1 && stride != -1) continue;
      std::optional<Condition> held = held_for(end->inputs[0], phi, stays_if, limit_);
      if (!held || (!is_outside(limit_) && !limit_->is_constant())) continue;
      if (*held != (stride == 1 ? Condition::Less : Condition::Greater)) continue;
      counter_ = phi;
      counter_stride_ = stride;
      return true;
    }
    return false;
  }

  // C3: whether the array is known not to be null before the loop.
  bool is_not_null(const Node* array) const {
    if (array->is_never_null) return true;
    for (const Block* block : graph_.blocks) {
      if (!block->dominates(before_)) continue;
      for (const Node* node : block->nodes) {
        if (node->op == Op::array_length && node->inputs[0] == array) return true;
      }
    }
    return false;
  }

  bool coalesce(Node* store) {
    Node *array = store->inputs[0], *index = store->inputs[1];
    i32 distance = 0;
    if (index->op == Op::iadd && index->inputs[1]->is_constant()) {
      distance = static_cast<i32>(index->inputs[1]->bits);
      index = index->inputs[0];
    }
    i32 stride = stride_of_phi(index);
    if (distance < -1) return false;  // C4
    if ((stride != 1 && stride != -1) || !is_outside(array) || !is_not_null(array)) return false;
    Node* first = add(Op::ladd, {wide(index->inputs[before_edge_]), constant(distance)});
    Node* count = iterations();
    Node* begin = stride == 1 ? first : add(Op::lsub, {add(Op::ladd, {first, constant(1)}), count});
    Node* end = stride == 1 ? add(Op::ladd, {first, count}) : add(Op::ladd, {first, constant(1)});
    insert(Op::mark_elements, Type::None, {array, begin, end});
    return store->card_is_marked = true;
  }

  // The number of iterations. It may be negative if the loop has no iteration; the range of elements is then empty.
  Node* iterations() {
    Node *count = wide(counter_->inputs[before_edge_]), *limit = wide(limit_);
    return counter_stride_ == 1 ? add(Op::lsub, {limit, count}) : add(Op::lsub, {count, limit});
  }

  Node* insert(Op op, Type type, std::initializer_list<Node*> inputs) {
    Node* node = graph_.make(op, type, std::span(inputs.begin(), inputs.size()));
    node->block = before_;
    before_->nodes.insert(before_->nodes.end() - 1, node);
    return node;
  }
  Node* add(Op op, std::initializer_list<Node*> inputs) { return insert(op, Type::Long, inputs); }
  // Computes the value as a long before the loop. If the value is a constant in the loop, makes a constant before the
  // loop instead.
  Node* wide(Node* value) {
    return is_outside(value) ? add(Op::i2l, {value}) : constant(static_cast<i32>(value->bits));
  }
  Node* constant(i64 value) {
    Node* node = add(Op::constant, {});
    node->bits = static_cast<u64>(value);
    return node;
  }

  Graph& graph_;
  Block* const header_;
  Block* const before_;
  const usize before_edge_;
  const std::vector<bool> is_in_;
  std::vector<Node*> stores_;
  Node *counter_ = nullptr, *limit_ = nullptr;
  i32 counter_stride_ = 0;
};

}  // namespace

bool coalesce_card_marks(Graph& graph) {
  bool changed = false;
  for (Block* header : graph.blocks) {
    Block* before = header->is_loop_header ? before_loop(header) : nullptr;
    if (before == nullptr || before->end()->op != Op::jump) continue;
    changed = StoringLoop(graph, header, before).run() || changed;
  }
  return changed;
}

}  // namespace keyhole::graph
