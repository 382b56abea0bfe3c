// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Guards, polls, and what an exit writes.
#include "jit/graph/lowering.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"
#include "vm/interpreter/cell.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

void Lowering::go_on_if(NodeId bit, const State* otherwise) {
  BlockId next = b_.new_block();
  b_.branch(bit, next, exit_with(otherwise), /*likely=*/true);
  b_.go_to(next);
}

void Lowering::lower_guard(const Node* node) { go_on_if(bit_of(node->inputs[0]), node->state); }

void Lowering::lower_poll(const Node* node) {
  NodeId armed = thread_field(offsetof(JavaThread, poll), low::Type::I32);
  go_on_if(b_.value(low::Op::Equal, low::Type::I1, {armed, int_constant(0)}), node->state);
}

Lowering::BlockId Lowering::exit_with(const State* state) {
  auto [found, is_new] = exits_.try_emplace(state, 0);
  if (is_new) found->second = b_.new_block();
  return found->second;
}

// The header as baseline code writes it: caller, method, kind with the number of lock records below the frame's.
void Lowering::write_exit(const State* state) {
  for (usize i = 0; i < state->locals.size(); ++i) {
    const Node* value = state->locals[i];
    bool is_there = value != nullptr && value->op == Op::parameter && value->local == i;   // M2
    if (value != nullptr && !is_there) store_slot(static_cast<i64>(i) * 8, value);
  }
  usize operands = state->operands.size();
  for (usize i = 0; i + 1 < operands; ++i) {
    if (state->operands[i] != nullptr) store_slot(home_distance(static_cast<i64>(i)), state->operands[i]);
  }
  i64 frame = frame_distance();
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, caller))), frame_, Alias::JavaFrame);
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, method))), method_, Alias::JavaFrame);
  static_assert(static_cast<u32>(FrameKind::Interpreted) == 0);
  static_assert(offsetof(Frame, lock_record_base) == offsetof(Frame, kind) + 4);
  NodeId records = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  u32 held = 0;
  for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) ++held;
  NodeId base = b_.value(low::Op::Sub, low::Type::I32, {records, int_constant(held)});
  NodeId wide = b_.value(low::Op::ZeroExtend, low::Type::I64, {base});
  NodeId kind = b_.value(low::Op::Shl, low::Type::I64, {wide, b_.constant(low::Type::I64, 32)});
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, kind))), kind, Alias::JavaFrame);
  NodeId cells = symbol("cells", graph_.method()->body.load(std::memory_order_relaxed)->cells());
  NodeId pc = b_.address(cells, no_node, 1, i64{state->cell} * static_cast<i64>(sizeof(Cell)));
  NodeId top = operands == 0 ? no_node : as_word(state->operands.back());
  NodeId home_of_top = at(home_distance(static_cast<i64>(operands) - 1));
  b_.exit(b_.symbol(leave_symbol), {pc, home_of_top, locals_, thread_, at(frame), no_node, top, no_node});
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
