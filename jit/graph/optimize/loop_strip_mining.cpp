// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop strip mining: a counted loop polls once in 1024 iterations. It becomes two nested loops, and the inner one
// has no poll, so that it can be unrolled or vectorized.
//
//     before ──> header: n7 < n3? ──no──> after         before ──> outer: n12 = min(n3, n7 + 1024)
//                  ^      yes                               ^         v
//                  └── poll: body                           │      header: n7 < n12? ──no──> n7 < n3? ──no──> after
//                                                           │         ^      yes                yes
//                                                           │         └── body                   v
//                                                           └────────────────────────────────  poll
//
// If a loop is known to have fewer than 1024 iterations, the phase removes its poll, and does not split the loop. If a
// loop has few iterations according to its profile, it is not changed.
//
// P1: the header's nodes have no side effects, since the code executes the header once more for each poll.
// P2: the new poll deoptimizes with a frame state at the header. Each slot of this frame state is computed from two
//     values: a, the slot's value in the frame state of loop_entry, and b, the slot's value in the frame state of the
//     old poll. If a and b are the same, the slot has that value. Otherwise the slot has the header's phi with the
//     inputs a and b. If several phis have these inputs, they are equal; if none has, the loop is not changed. Fields
//     of virtual objects are treated like slots.
#include <algorithm>

#include "jit/graph/optimize/counters.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

// The number of iterations of the inner loop. Because it is a power of two, a vectorized inner loop executes scalar
// iterations only in its last strip. LLVM's vector loops process up to 256 bytes in an iteration: a strip of 1000 bytes
// would leave 232 bytes to a scalar loop.
constexpr i32 iterations = 1024;
constexpr i32 largest_stride = 1000;

class MinedLoop {
 public:
  MinedLoop(Graph& graph, Block* header, Block* before, Node* entry)
      : graph_(graph), header_(header), before_(before), entry_(entry), is_in_(blocks_of_loop(graph, header)) {}

  bool run() {
    if (!find_latch() || !find_poll() || !find_counter()) return false;
    FrameState* state = is_short() ? nullptr : state_at_header();
    if (!is_short() && (state == nullptr || !has_enough_iterations())) return false;
    std::erase(latch_->nodes, poll_);
    if (state != nullptr) mine(state);
    return true;
  }

 private:
  bool is_outside(const Node* node) const { return !is_in_[node->block->id]; }

  bool find_latch() {
    if (header_->predecessors.size() != 2) return false;
    before_edge_ = header_->predecessors[0] == before_ ? 0 : 1;
    latch_ = header_->predecessors[1 - before_edge_];
    return latch_->end()->op == Op::jump;
  }

  // Finds the loop's only poll. Inner loops have polls of their own, so a loop with inner loops is refused.
  bool find_poll() {
    for (const Block* block : graph_.blocks) {
      if (!is_in_[block->id]) continue;
      if (block != header_ && block->is_loop_header) return false;
      for (Node* node : block->nodes) {
        if (node->has(effect::calls)) return false;
        if (node->op != Op::poll) continue;
        if (poll_ != nullptr || block != latch_) return false;
        poll_ = node;
      }
    }
    return poll_ != nullptr;
  }

  bool find_counter() {
    Node* end = header_->end();
    if (end->op != Op::branch || is_in_[header_->successors[0]->id] == is_in_[header_->successors[1]->id]) return false;
    stays_ = is_in_[header_->successors[0]->id] ? 0 : 1;
    for (const Node* node : header_->nodes) {
      bool has_side_effect = node->has(effect::writes | effect::calls) ||
                             (node->has(effect::deoptimizes) && node->op != Op::guard && node->op != Op::loop_entry);
      if (has_side_effect) return false;  // P1
    }
    Node* condition = end->inputs[0];
    for (Node* phi : header_->nodes) {
      if (phi->op != Op::phi) break;
      std::optional<Stride> stride = stride_of(phi->inputs[1 - before_edge_], phi);
      if (!stride || !is_usable(*stride)) continue;
      std::optional<Condition> held = held_for(condition, phi, stays_ == 0, limit_);
      if (!held || (!is_outside(limit_) && !limit_->is_constant())) continue;
      bool goes_up = stride->constant > 0;
      bool fits = goes_up ? *held == Condition::Less || *held == Condition::LessOrEqual
                          : *held == Condition::Greater || *held == Condition::GreaterOrEqual;
      if (!fits) continue;
      counter_ = phi;
      stride_ = *stride;
      held_ = *held;
      return true;
    }
    return false;
  }

  static bool is_usable(const Stride& stride) {
    // LLVM's vectorized loop is slower than the scalar loop if the stride is variable
    if (stride.value != nullptr) return false;
    return stride.constant != 0 && stride.constant >= -largest_stride && stride.constant <= largest_stride;
  }

  // Whether the loop has enough iterations for strip mining to save time. The outer loop itself costs as much time as a
  // few polls.
  bool has_enough_iterations() const {
    constexpr u64 least_iterations = 16;
    return entry_->bits == 0 || entry_->bits >= least_iterations;
  }

  // Whether the loop is known to end after fewer than 1024 iterations: its first value and its limit are constants, and
  // its last step does not overflow.
  bool is_short() const {
    const Node* first = counter_->inputs[before_edge_];
    if (!first->is_constant() || !limit_->is_constant()) return false;
    i64 from = static_cast<i32>(first->bits), to = static_cast<i32>(limit_->bits);
    i64 past = to + stride_.constant;
    bool overflows = past != static_cast<i32>(past);
    return !overflows && (to - from) / stride_.constant < iterations;
  }

  // --- the new blocks ------------------------------------------------------------------------------------------------

  Node* make(Block* block, Op op, Type type, std::initializer_list<Node*> inputs) {
    Node* node = graph_.make(op, type, std::span(inputs.begin(), inputs.size()));
    Graph::append(block, node);
    return node;
  }
  Node* constant(Block* block, i64 value) {
    Node* node = make(block, Op::constant, Type::Long, {});
    node->bits = static_cast<u64>(value);
    return node;
  }

  void mine(FrameState* state) {
    if (!is_outside(limit_)) move_limit();
    Block* outer = graph_.make_block();
    Block* tests = graph_.make_block();
    Block* polls = graph_.make_block();
    Block* after = header_->successors[1 - stays_];
    *std::ranges::find(before_->successors, header_) = outer;
    outer->predecessors = {before_, polls};
    outer->successors = {header_};
    header_->predecessors[before_edge_] = outer;
    header_->successors[1 - stays_] = tests;
    tests->predecessors = {header_};
    tests->successors = {polls, after};
    *std::ranges::find(after->predecessors, header_) = tests;
    polls->predecessors = {tests};
    polls->successors = {outer};
    for (Node* phi : header_->nodes) {
      if (phi->op != Op::phi) break;
      Node* around = make(outer, Op::phi, phi->type, {phi->inputs[before_edge_], phi});
      around->is_never_null = phi->is_never_null;
      phi->inputs[before_edge_] = around;
    }
    Node* bound = bound_in(outer);
    make(outer, Op::jump, Type::None, {});
    Node* compared[] = {counter_, bound};
    Node* condition = graph_.make(Op::compare_int, Type::Int, compared);
    condition->condition = held_;
    condition->block = header_;
    header_->nodes.insert(header_->nodes.end() - 1, condition);
    // The branch gets a new condition node, because the old node may have other uses.
    header_->end()->inputs[0] = condition;
    if (stays_ == 1) std::swap(header_->successors[0], header_->successors[1]);
    Node* again = make(tests, Op::compare_int, Type::Int, {counter_, limit_});
    again->condition = held_;
    make(tests, Op::branch, Type::None, {again});
    make(polls, Op::poll, Type::None, {})->state = state;
    make(polls, Op::jump, Type::None, {});
  }

  void move_limit() {
    Node* limit = graph_.make(Op::constant, Type::Int);
    limit->bits = limit_->bits;
    limit->block = before_;
    before_->nodes.insert(before_->nodes.end() - 1, limit);
    limit_ = limit;
  }

  // The bound of a strip, which is a run of 1024 iterations of the inner loop: the counter plus 1024 strides, or the
  // limit if the limit is nearer. The sum is computed as a long. The nearer one of sum and limit always fits into an
  // int.
  Node* bound_in(Block* outer) {
    Node* count = counter_->inputs[before_edge_];
    Node* room = constant(outer, i64{stride_.constant} * iterations);
    Node* far = make(outer, Op::ladd, Type::Long, {make(outer, Op::i2l, Type::Long, {count}), room});
    bool goes_up = stride_.constant > 0;
    Op nearer = goes_up ? Op::lmin : Op::lmax;
    Node* bound = make(outer, nearer, Type::Long, {make(outer, Op::i2l, Type::Long, {limit_}), far});
    return make(outer, Op::l2i, Type::Int, {bound});
  }

  // P2: returns the frame state of the outer loop's poll, or null if the value of a slot is not known at the header.
  FrameState* state_at_header() {
    const FrameState* at_poll = poll_->state;
    const FrameState* at_entry = entry_->state;
    if (at_poll->outer != at_entry->outer || at_poll->method != at_entry->method) return nullptr;
    FrameState* state = graph_.make_frame_state(*at_entry);
    if (!find_all_at_header(state->locals, at_poll->locals)) return nullptr;
    if (!find_all_at_header(state->operands, at_poll->operands)) return nullptr;
    for (FieldValues& object : state->objects) {
      auto later = std::ranges::find(at_poll->objects, object.object, &FieldValues::object);
      if (later == at_poll->objects.end() || !find_all_at_header(object.values, later->values)) return nullptr;
    }
    return state;
  }
  bool find_all_at_header(std::span<Node*> values, std::span<Node* const> later) const {
    for (usize i = 0; i < values.size(); ++i) {
      if (values[i] != nullptr && !find_at_header(values[i], i < later.size() ? later[i] : nullptr)) return false;
    }
    return true;
  }
  bool find_at_header(Node*& value, const Node* later) const {
    if (value == later) return true;
    for (Node* phi : header_->nodes) {
      if (phi->op != Op::phi) break;
      if (phi->inputs[before_edge_] != value || phi->inputs[1 - before_edge_] != later) continue;
      value = phi;
      return true;
    }
    return false;
  }

  Graph& graph_;
  Block* const header_;
  Block* const before_;
  Node* const entry_;
  const std::vector<bool> is_in_;
  Block* latch_ = nullptr;
  usize before_edge_ = 0, stays_ = 0;
  Node *poll_ = nullptr, *counter_ = nullptr, *limit_ = nullptr;
  Stride stride_;
  Condition held_{};
};

}  // namespace

bool strip_mine(Graph& graph) {
  bool changed = false;
  const std::vector<Block*> headers = graph.blocks;
  for (Block* header : headers) {
    Block* before = header->is_loop_header ? before_loop(header) : nullptr;
    Node* entry = before == nullptr ? nullptr : loop_entry_in(before);
    if (entry == nullptr || !MinedLoop(graph, header, before, entry).run()) continue;
    graph.order_blocks();
    graph.has_counted_loops = changed = true;
  }
  for (Block* block : graph.blocks) std::erase_if(block->nodes, [](Node* node) { return node->op == Op::loop_entry; });
  return changed;
}

}  // namespace keyhole::graph
