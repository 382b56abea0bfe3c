// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// monitorenter and monitorexit: the fast path of the selected lock algorithm, inlined from its bitcode.
//
//   enter   a record is free ──> snippet_enter_NAME(thread, object, record) ──true──> record.object = object, ++top
//              │ no                    │ false
//              └─────> deopt exit <────┘           without an effect: the interpreter executes monitorenter
//   exit    snippet_exit_NAME(thread, object, record) ──true──> --top
//                                  └──false──> deopt exit
//
// For a monitor without a record (S9 of frame_state.h), `record` is the unused record above the last one. The snippet
// may use this record, but the code writes neither record.object nor top.
//
// A graph's monitors are nested, and the method that enters one exits it (build/builder.h). So the record of the
// innermost lock is the thread's last one.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "jit/graph/ir/recorded_locks.h"
#include "jit/graph/lower/lowering.h"
#include "jit/graph/lower/stack_slots.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

Lowering::NodeId Lowering::record_at(NodeId index) {
  static_assert(std::has_single_bit(sizeof(LockRecord)));
  if (records_ == no_node) records_ = thread_field(offsetof(JavaThread, lock_records), low::Type::Ptr);
  NodeId wide = b_.value(low::Op::ZeroExtend, low::Type::I64, {index});
  NodeId bytes = b_.value(low::Op::Mul, low::Type::I64, {wide, b_.constant(low::Type::I64, sizeof(LockRecord))});
  return b_.address(records_, bytes, 1, 0);
}

void Lowering::set_record_top(NodeId top) {
  NodeId place = b_.address(thread_, no_node, 1, offsetof(JavaThread, lock_record_top));
  b_.store(place, top, Alias::Thread, offsetof(JavaThread, lock_record_top) + 1);
}

void Lowering::enter(std::string_view algorithm, const Node* enter, BlockId otherwise) {
  if (algorithm.empty()) return go_on_if(b_.constant(low::Type::I1, 0), otherwise);
  NodeId object = value_of(enter->inputs[0]);
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId capacity = thread_field(offsetof(JavaThread, lock_record_capacity), low::Type::I32);
  // The index of the last lock record that the thread may need. This enter needs one record. Deoptimization needs one
  // for each eliminated nesting level, because it may enter these levels.
  NodeId last = top;
  if (u32 more = graph_.eliminated_levels) last = b_.value(low::Op::Add, low::Type::I32, {top, int_constant(more)});
  go_on_if(b_.value(low::Op::Below, low::Type::I1, {last, capacity}), otherwise);
  NodeId record = record_at(top);
  go_on_if(snippet(fmt::format("enter_{}", algorithm), low::Type::I1, {thread_, object, record}), otherwise);
  if (!enter->has_no_record) push_record(record, object, top);
}

void Lowering::push_record(NodeId record, NodeId object, NodeId top) {
  b_.store(b_.address(record, no_node, 1, offsetof(LockRecord, object)), object, Alias::Any);
  set_record_top(b_.value(low::Op::Add, low::Type::I32, {top, int_constant(1)}));
}

void Lowering::lower_drop_record() {
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  set_record_top(b_.value(low::Op::Sub, low::Type::I32, {top, int_constant(1)}));
}

// On the slow path, writes the frame's header before the interpreter pushes the lock record. By the header, the
// interpreter knows which lock records belong to this frame.
void Lowering::lower_lock_method(const Node* node) {
  BlockId slow = b_.new_block();
  annotate_fast_path(node, sync::fast_path().name);
  enter(sync::fast_path().name, node, slow);
  BlockId next = b_.block();
  b_.go_to(slow);
  annotate("the method's monitor is not free: the interpreter enters it");
  if (!contents_->has_header) write_header(0, FrameContents::Kind::Interpreted);
  NodeId frame = at(frame_distance());
  NodeId below_stack = b_.address(frame, no_node, 1, offsetof(Frame, below_stack));
  b_.exit(b_.symbol(lock_and_start_symbol), {instruction_address(0), below_stack, locals(), thread_, frame});
  b_.go_to(next);
}

// Checks the monitors of an OSR frame before the loop begins, where a deoptimization has nothing to undo. Also checks
// that the thread has room for the lock records of eliminated nesting levels (nested_locks.cpp N3).
void Lowering::lower_check_monitors(const Node* node) {
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId base = b_.load(low::Type::I32, at(frame_distance() + static_cast<i64>(offsetof(Frame, lock_record_base))),
                        Alias::JavaFrame);
  u32 count = static_cast<u32>(node->inputs.size());
  NodeId held = b_.value(low::Op::Sub, low::Type::I32, {top, base});
  go_on_if(b_.value(low::Op::Equal, low::Type::I1, {held, int_constant(count)}), node->state);
  for (u32 i = 0; i < count; ++i) {
    NodeId record = record_at(b_.value(low::Op::Add, low::Type::I32, {base, int_constant(i)}));
    NodeId object = b_.load(low::Type::Ptr, b_.address(record, no_node, 1, offsetof(LockRecord, object)), Alias::Any);
    go_on_if(b_.value(low::Op::Equal, low::Type::I1, {object, value_of(node->inputs[i])}), node->state);
  }
  if (graph_.eliminated_levels == 0) return;
  NodeId capacity = thread_field(offsetof(JavaThread, lock_record_capacity), low::Type::I32);
  NodeId last = b_.value(low::Op::Add, low::Type::I32, {top, int_constant(graph_.eliminated_levels - 1)});
  go_on_if(b_.value(low::Op::Below, low::Type::I1, {last, capacity}), node->state);
}

void Lowering::lower_try_enter(const Node* node) {
  std::string_view algorithm = sync::fast_path().name;
  annotate_fast_path(node, algorithm);
  BlockId failed = b_.new_block(), merged = b_.new_block();
  enter(algorithm, node, failed);
  b_.jump(merged);
  b_.go_to(failed);
  b_.jump(merged);
  b_.go_to(merged);
  NodeId entered = b_.phi(low::Type::I1, 2);
  b_.set_operand(entered, 0, b_.constant(low::Type::I1, 1));
  b_.set_operand(entered, 1, b_.constant(low::Type::I1, 0));
  bits_[node->id] = entered;
}

void Lowering::lower_release(const Node* node) {
  std::string_view algorithm = sync::fast_path().name;
  if (algorithm.empty()) {
    bits_[node->id] = b_.constant(low::Type::I1, 0);
    return;
  }
  annotate_fast_path(node, algorithm);
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId below = top_after(node, top);
  NodeId released =
      snippet(fmt::format("exit_{}", algorithm), low::Type::I1, {thread_, value_of(node->inputs[0]), record_at(below)});
  if (!node->has_no_record) set_record_top(b_.value(low::Op::Select, low::Type::I32, {released, below, top}));
  bits_[node->id] = released;
}

// Returns the index of the lock record of the monitor that the exit releases. After the exit, this index is the top of
// the thread's lock records.
Lowering::NodeId Lowering::top_after(const Node* exit, NodeId top) {
  return exit->has_no_record ? top : b_.value(low::Op::Sub, low::Type::I32, {top, int_constant(1)});
}

void Lowering::lower_monitor(const Node* node) {
  std::string_view algorithm = sync::fast_path().name;
  annotate_fast_path(node, algorithm);
  if (node->op == Op::monitor_enter) {
    // Inliner::judge checks it
    bool is_speculation = recorded_locks::speculate_on_inlined_enters() && !is_monitorenter(node);
    enter(algorithm, node, deopt_exit(node->state, is_speculation ? DeoptReason::Monitor : DeoptReason::Locks));
  } else if (algorithm.empty()) {
    go_on_if(b_.constant(low::Type::I1, 0), node->state);
  } else {
    NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
    NodeId object = value_of(node->inputs[0]), below = top_after(node, top);
    go_on_if(snippet(fmt::format("exit_{}", algorithm), low::Type::I1, {thread_, object, record_at(below)}),
             node->state);
    if (!node->has_no_record) set_record_top(below);
  }
}

// --- locks as the interpreter expects them after deoptimization (S6, S7, S9 of frame_state.h) ------------------------

// Returns the locks of the frame state and of its outer frame states, the outermost lock first.
static std::vector<const HeldLock*> locks_of(const FrameState* state) {
  std::vector<const HeldLock*> locks;
  for_each_lock(state, [&](const HeldLock& lock) { locks.push_back(&lock); });
  std::ranges::reverse(locks);
  return locks;
}

// Describes the eliminated nesting levels of a call's frame state in the debug information of the call site. If the
// frame is deoptimized in the call, the runtime enters these levels (vm/frames/materialization.cpp).
void Lowering::describe_eliminated_locks(const FrameState* state, DebugInfo& site) {
  std::vector<const Node*> records;
  for (const HeldLock* lock : locks_of(state)) {
    if (!lock->is_eliminated) records.push_back(lock->object);
    else site.eliminated_locks.push_back(static_cast<u32>(std::ranges::find(records, lock->object) - records.begin()));
  }
}

// Makes the thread's lock records match the frame state at a deopt exit. The code calls leaf functions to release and
// enter monitors, which keeps deopt exits small. These functions never wait, because this thread holds the monitors. If
// the lock algorithm has no fast path, all enters deoptimize, so no locked region is executed, and no record needs a
// change.
void Lowering::settle_locks(const FrameState* state) {
  if (sync::fast_path().is_none()) return;
  records_ = no_node;
  if (state->coarsened_lock != nullptr) release_coarsened(state->coarsened_lock);
  for (const HeldLock* lock : locks_of(state)) {
    if (lock->has_no_record) make_record(lock->object);
    if (lock->is_eliminated) enter_eliminated(lock->object);
  }
}

void Lowering::make_record(const Node* object) {
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  push_record(record_at(top), value_of(object), top);
}

void Lowering::release_coarsened(const Node* object) {
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId below = b_.value(low::Op::Sub, low::Type::I32, {top, int_constant(1)});
  symbol("exit_held", reinterpret_cast<const void*>(&sync::exit_held));
  b_.call_leaf("exit_held", low::Type::None, {thread_, value_of(object), record_at(below)});
  set_record_top(below);
}

void Lowering::enter_eliminated(const Node* object) {
  NodeId top = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId record = record_at(top), held = value_of(object);
  push_record(record, held, top);
  symbol("enter_held", reinterpret_cast<const void*>(&sync::enter_held));
  b_.call_leaf("enter_held", low::Type::None, {thread_, held, record});
}

}  // namespace keyhole::graph
