// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Guards, polls, and what an exit writes.
#include "jit/graph/lowering.h"
#include "runtime/base/flags.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"
#include "vm/interpreter/cell.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

void Lowering::go_on_if(NodeId bit, BlockId otherwise) {
  BlockId next = b_.new_block();
  b_.branch(bit, next, otherwise, /*likely=*/true);
  b_.go_to(next);
}

// Threads may lose each other's counts.
Lowering::NodeId Lowering::is_nth(u32* passed, std::string_view name, i64 interval) {
  NodeId counter = symbol(std::string(name), passed);
  NodeId count =
      b_.value(low::Op::Add, low::Type::I32, {b_.load(low::Type::I32, counter, Alias::Any), int_constant(1)});
  b_.store(counter, count, Alias::Any);
  NodeId rest = b_.value(low::Op::Rem, low::Type::I32, {count, int_constant(interval)});
  return b_.value(low::Op::Equal, low::Type::I1, {rest, int_constant(0)});
}

// -XX:ExitStressInterval
void Lowering::leave_under_stress(const State* state) {
  if (flags::ExitStressInterval == 0) return;
  go_on_if(is_false(is_nth(&exits_passed_, "exits passed", flags::ExitStressInterval)), state);
}

void Lowering::lower_guard(const Node* node) {
  leave_under_stress(node->state);
  go_on_if(bit_of(node->inputs[0]), exit_with(node->state, node->reason));
}

void Lowering::lower_poll(const Node* node) {
  leave_under_stress(node->state);
  NodeId armed = thread_field(offsetof(JavaThread, poll), low::Type::I32, low::Order::EachTime);
  go_on_if(b_.value(low::Op::Equal, low::Type::I1, {armed, int_constant(0)}), node->state);
}

bool Lowering::is_counted(Reason reason) {
  return reason == Reason::Class || reason == Reason::Untaken || reason == Reason::Unresolved;
}

Lowering::BlockId Lowering::exit_with(const State* state, Reason reason) {
  return exit_at({state, is_counted(reason) ? std::optional(reason) : std::nullopt});
}

// Threads may lose each other's counts.
void Lowering::count_exit(const State* state, Reason reason) {
  i64 offset = static_cast<i64>(lowered_.exits.size() * sizeof(u32));
  lowered_.exits.push_back({state->method, state->bci, reason});
  NodeId counter = b_.address(b_.symbol(exit_counters_symbol), no_node, 1, offset);
  NodeId count = b_.load(low::Type::I32, counter, Alias::Any);
  b_.store(counter, b_.value(low::Op::Add, low::Type::I32, {count, int_constant(1)}), Alias::Any);
}

Lowering::BlockId Lowering::exit_at(const ExitKey& key) {
  auto [found, is_new] = exits_.try_emplace(key);
  if (is_new) found->second = {b_.new_block(), contents_};
  return found->second.block;
}

void Lowering::write_exit(const State* state, const FrameContents& contents) {
  usize operands = state->operands.size();
  bool is_inlined = state->outer != nullptr;
  write_homes(state, operands == 0 || is_inlined ? operands : operands - 1, contents);
  i64 frame = frame_distance();
  write_kind(state, contents);
  NodeId home_of_top = at(home_distance(state, static_cast<i64>(operands) - 1));
  if (is_inlined) {
    write_site(state);
    return b_.exit(b_.symbol(leave_inlined_symbol), {no_node, home_of_top, locals(), thread_, at(frame)});
  }
  NodeId pc = cell_address(state->cell);
  NodeId top = operands == 0 ? no_node : as_word(state->operands.back());
  b_.exit(b_.symbol(leave_symbol), {pc, home_of_top, locals(), thread_, at(frame), no_node, top, no_node});
}

Lowering::NodeId Lowering::cell_address(u32 cell) {
  NodeId cells = symbol("cells", graph_.method()->body.load(std::memory_order_relaxed)->cells());
  return b_.address(cells, no_node, 1, i64{cell} * static_cast<i64>(sizeof(Cell)));
}

void Lowering::store_slot(i64 distance, const Node* value) {
  b_.store(at(distance), value_of(value), Alias::JavaFrame);
}

// What a slot holds; the upper half of an int is 0.
Lowering::NodeId Lowering::as_word(const Node* node) {
  NodeId value = value_of(node);
  switch (node->type) {
    case Type::Int: return b_.value(low::Op::ZeroExtend, low::Type::I64, {value});
    case Type::Float:
      return b_.value(low::Op::ZeroExtend, low::Type::I64, {b_.value(low::Op::Bits, low::Type::I32, {value})});
    case Type::Double: case Type::Reference: return b_.value(low::Op::Bits, low::Type::I64, {value});
    default: return value;
  }
}

}  // namespace keyhole::graph
