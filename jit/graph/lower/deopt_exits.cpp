// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers guards and polls, and writes the deopt exits.
#include "jit/graph/lower/lowering.h"

#include <algorithm>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"
#include "runtime/threads/safepoint_protocol.h"
#include "vm/code/instruction.h"
#include "vm/frames/execution_sample.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

void Lowering::go_on_if(NodeId bit, BlockId otherwise) {
  BlockId next = b_.new_block();
  b_.branch(bit, next, otherwise, /*likely=*/true);
  b_.go_to(next);
}

// Increments the counter, and returns whether the counter's value is a multiple of `interval`. The increment is not
// atomic: threads may lose each other's increments.
Lowering::NodeId Lowering::is_nth(u32* passed, std::string_view name, i64 interval) {
  NodeId counter = symbol(std::string(name), passed);
  NodeId count =
      b_.value(low::Op::Add, low::Type::I32, {b_.load(low::Type::I32, counter, Alias::Any), int_constant(1)});
  b_.store(counter, count, Alias::Any);
  NodeId rest = b_.value(low::Op::Rem, low::Type::I32, {count, int_constant(interval)});
  return b_.value(low::Op::Equal, low::Type::I1, {rest, int_constant(0)});
}

// With -XX:ExitStressInterval=N, every Nth deopt point deoptimizes although its guard holds.
void Lowering::deoptimize_under_stress(const FrameState* state) {
  if (flags::ExitStressInterval == 0) return;
  go_on_if(is_false(is_nth(&deopts_passed_, "deopts passed", flags::ExitStressInterval)), state);
}

void Lowering::lower_guard(const Node* node) {
  go_on_if(bit_of(node->inputs[0]), deopt_exit(node->state, node->reason));
}

// If the sampler alone has armed the poll, clears its request and does not deoptimize. After a deoptimization the
// method would stay in baseline code until it returns, or until its loop has OSR code. A request that is cleared in
// code of the optimising tier is dropped. In code of the middle tier it is counted as a sample. Code that is compiled
// while execution samples are recorded answers the requests for them, too (vm/frames/execution_sample.h X2).
void Lowering::lower_poll(const Node* node) {
  using Protocol = SafepointProtocol<HardwareWorld, JavaThread>;
  constexpr i32 sample = Protocol::sample_bit;
  const bool is_recorded = recorder::is_on(recorder::Family::samples) && flags::ExecutionSampleInterval != 0;
  const i32 answered = is_recorded ? i32{Protocol::sample_bits} : sample;
  NodeId armed = thread_field(offsetof(JavaThread, poll), low::Type::I32, low::Order::EachTime);
  BlockId next = b_.new_block(), armed_block = b_.new_block(), sampled = b_.new_block();
  b_.branch(b_.value(low::Op::Equal, low::Type::I1, {armed, int_constant(0)}), next, armed_block, /*likely=*/true);
  b_.go_to(armed_block);
  NodeId others = b_.value(low::Op::And, low::Type::I32, {armed, int_constant(~answered)});
  b_.branch(b_.value(low::Op::Equal, low::Type::I1, {others, int_constant(0)}), sampled, deopt_exit(node->state));
  b_.go_to(sampled);
  NodeId poll = b_.address(thread_, no_node, 1, i64{offsetof(JavaThread, poll)});
  b_.atomic(low::Op::FetchAnd, low::Type::I32, {poll, int_constant(~sample)}, Alias::Thread,
            u32{offsetof(JavaThread, poll)} + 1);
  if (samples_ == Samples::Noted) note_sample(node->state, is_recorded ? armed : no_node);
  if (is_recorded) record_execution_sample(node->state);
  b_.jump(next);
  b_.go_to(next);
}

// Calls the function that counts a sample of the code's own method, if the tier policy has requested one. `armed`: the
// requests of the poll, among which there may be others; no_node: there is no other.
void Lowering::note_sample(const FrameState* state, NodeId armed) {
  const bool may_be_another = armed != no_node;
  BlockId next{};
  if (may_be_another) {
    constexpr i32 sample = SafepointProtocol<HardwareWorld, JavaThread>::sample_bit;
    NodeId requested = b_.value(low::Op::And, low::Type::I32, {armed, int_constant(sample)});
    BlockId noted = b_.new_block();
    next = b_.new_block();
    b_.branch(b_.value(low::Op::Equal, low::Type::I1, {requested, int_constant(0)}), next, noted);
    b_.go_to(noted);
  }
  const FrameState* own = state;
  while (own->outer != nullptr) own = own->outer;
  symbol("note_sample", reinterpret_cast<const void*>(&interpreter::note_sample_in_code));
  b_.call_leaf("note_sample", low::Type::None,
               {thread_, symbol("own method", graph_.method()), int_constant(own->bci)});
  if (!may_be_another) return;
  b_.jump(next);
  b_.go_to(next);
}

// Calls the function that records an execution sample, if one is requested. The call writes no slots and no header: the
// site lists the activations, and the caller's frame is all else that a stack walk needs.
void Lowering::record_execution_sample(const FrameState* state) {
  NodeId caller = frame_;
  if (contents_->has_header) {
    i64 distance = frame_distance() + static_cast<i64>(offsetof(Frame, caller));
    caller = b_.load(low::Type::Ptr, at(distance), Alias::JavaFrame);
  }
  DebugInfo info;
  for (const FrameState* each = state; each != nullptr; each = each->outer)
    info.activations.push_back({.method = each->method, .bci = each->bci, .locals = 0, .lock_records = 0});
  NodeId site = make_site(state, std::move(info));
  symbol("record_execution_sample", reinterpret_cast<const void*>(&interpreter::record_execution_sample_in_code));
  b_.call_leaf("record_execution_sample", low::Type::None,
               {thread_, caller, symbol("own method", graph_.method()), site});
}

bool is_speculation(DeoptReason reason) {
  return reason == DeoptReason::Class || reason == DeoptReason::Untaken || reason == DeoptReason::Unresolved ||
         reason == DeoptReason::Intrinsic || reason == DeoptReason::Hoisted || reason == DeoptReason::Monitor;
}

// Whether the deopt point has a counter. If an instruction throws, its guard has a counter only if a handler covers the
// instruction: recompiled code can throw to that handler without a deoptimization.
bool Lowering::is_counted(const FrameState* state, DeoptReason reason) {
  if (raises(reason) && is_covered(state)) return true;
  return is_speculation(reason) || log::enabled(log::TagSet::deoptimization, log::Level::debug) ||
         recorder::is_on(recorder::Family::code);
}

Lowering::BlockId Lowering::deopt_exit(const FrameState* state, DeoptReason reason) {
  bool is_own = is_counted(state, reason) || (reason == DeoptReason::Throws && passes(state));
  return deopt_exit_at({state, is_own ? std::optional(reason) : std::nullopt});
}

// Increments the deopt point's counter. The increment is not atomic: threads may lose each other's increments.
void Lowering::count_deopt(const FrameState* state, DeoptReason reason) {
  i64 offset = static_cast<i64>(lowered_.deopts.size() * sizeof(u32));
  bool is_raised = raises(reason) && is_covered(state);
  lowered_.deopts.push_back({state->method, state->bci, reason, is_speculation(reason) || is_raised});
  NodeId counter = b_.address(b_.symbol(deopt_counters_symbol), no_node, 1, offset);
  NodeId count = b_.load(low::Type::I32, counter, Alias::Any);
  b_.store(counter, b_.value(low::Op::Add, low::Type::I32, {count, int_constant(1)}), Alias::Any);
  // The code does not record the reason Throws, because the exception may go to the caller without a deoptimization.
  if (!recorder::is_on(recorder::Family::code) || reason == DeoptReason::Throws) return;
  bool is_for_monitor = reason == DeoptReason::Locks || reason == DeoptReason::Monitor;
  i64 recorded = is_for_monitor ? static_cast<i64>(interpreter::DeoptReason::Monitor) : 1 + static_cast<i64>(reason);
  NodeId deopt_reason = b_.address(thread_, no_node, 1, i64{offsetof(JavaThread, deopt_reason)});
  b_.store(deopt_reason, int_constant(recorded), Alias::Thread, offsetof(JavaThread, deopt_reason) + 1);
}

Lowering::BlockId Lowering::deopt_exit_at(const DeoptKey& key) {
  auto [found, is_new] = deopt_exits_.try_emplace(key);
  if (is_new) found->second = {b_.new_block(), contents_};
  return found->second.block;
}

// LIFE(deoptimization) 2/10: after a failed guard, its deopt exit writes the values of the frame state to their stack
// slots
void Lowering::write_deopt_exit(const DeoptKey& key, const FrameContents& contents) {
  const FrameState* state = key.first;
  // If an exception of an athrow may go to the caller (passes() tells), the athrow's exit uses a stub for throws.
  // Otherwise the exit uses the stub of an ordinary deopt exit, and the reason Throws is for statistics only.
  bool is_scalar_replaced = names_scalar_replaced(state),
       throws = key.second == DeoptReason::Throws && !is_scalar_replaced && passes(state);
  if (state->outer == nullptr && is_scalar_replaced) return write_deopt_exit_with_objects(state, contents);
  if (state->outer != nullptr) return throws ? write_throw(state, contents) : write_inlined_deopt_exit(state, contents);
  usize operands = state->operands.size();
  write_slots(state, operands == 0 ? 0 : operands - 1, contents);
  write_kind(contents, all_locks(state), FrameContents::Kind::Interpreted);
  NodeId pc = instruction_address(state->instruction),
         top_slot = at(operand_distance(state, static_cast<i64>(operands) - 1));
  NodeId top = operands == 0 ? no_node : as_word(state->operands.back());
  b_.exit(b_.symbol(throws ? throw_symbol : deoptimize_symbol),
          {pc, top_slot, locals(), thread_, at(frame_distance()), no_node, top, no_node});
}

// Writes the deopt exit of an athrow in an inlined method, for an exception that may go to the caller of the compiled
// method. The exit writes the frame as a call does, so that both an optimised caller and the interpreter can use the
// frame.
void Lowering::write_throw(const FrameState* state, const FrameContents& contents) {
  write_slots(state, state->operands.size(), contents);
  write_kind(contents, all_locks(state), FrameContents::Kind::Inlining);
  write_site(state);
  NodeId top_slot = at(operand_distance(state, static_cast<i64>(state->operands.size()) - 1));
  b_.exit(b_.symbol(throw_inlined_symbol), {no_node, top_slot, locals(), thread_, at(frame_distance())});
}

// Writes the slots of the innermost frame. Then jumps to the tail that writes the slots of the outer frames.
void Lowering::write_inlined_deopt_exit(const FrameState* state, const FrameContents& contents) {
  write_own_slots(state, contents);
  for_each_field_slot(*state, [&](u32 slot, const Node* value) { store_slot(i64{slot} * 8, value); });
  write_site(state);
  set_deopt_top(state);
  b_.jump(tail_of(state->outer, contents, own_records(*state)).block);
}

// Writes a deopt exit whose frame state has virtual objects but no outer frames. The debug information of the call site
// describes the objects. This function writes the slots of the objects' fields, and the tail writes all other slots.
void Lowering::write_deopt_exit_with_objects(const FrameState* state, const FrameContents& contents) {
  for_each_field_slot(*state, [&](u32 slot, const Node* value) { store_slot(i64{slot} * 8, value); });
  write_site(state);
  set_deopt_top(state);
  b_.jump(tail_of(state, contents, 0).block);
}

void Lowering::set_deopt_top(const FrameState* state) {
  if (deopt_top_ == no_node) deopt_top_ = b_.variable(low::Type::Ptr);
  b_.set(deopt_top_, at(operand_distance(state, static_cast<i64>(state->operands.size()) - 1)));
}

Lowering::Tail& Lowering::tail_of(const FrameState* state, const FrameContents& contents, u32 locks) {
  if (contents.has_header) locks = 0;
  auto fits = [&](const Tail& tail) {
    return tail.state == state && tail.contents.has_header == contents.has_header &&
           tail.contents.kind == contents.kind && tail.locks == locks;
  };
  auto found = std::ranges::find_if(tails_, fits);
  if (found == tails_.end()) return tails_.emplace_back(state, contents, locks, b_.new_block());
  std::vector<const Node*>& agreed = found->contents.slots;
  for (usize slot = 0; slot < agreed.size(); ++slot) {
    if (agreed[slot] != contents.slots[slot]) agreed[slot] = nullptr;
  }
  return *found;
}

void Lowering::write_tails() {
  // A tail is the end of all deopt exits that write the same outer frames (Lowering::Tail). The tail of a deeper frame
  // state is written first, because it ends in a jump to the tail of its outer frames. So when a tail is written, all
  // jumps to it are known.
  auto depth_of = [](const Tail& tail) {
    u32 depth = 0;
    for (const FrameState* state = tail.state; state != nullptr; state = state->outer) ++depth;
    return depth;
  };
  std::vector<Tail*> left;
  for (Tail& tail : tails_) left.push_back(&tail);
  while (!left.empty()) {
    auto innermost = std::ranges::max_element(left, {}, [&](const Tail* tail) { return depth_of(*tail); });
    Tail& tail = **innermost;
    left.erase(innermost);
    usize count = tails_.size();
    b_.go_to(tail.block);
    annotate_deopt_exit(tail.state, std::nullopt);
    write_tail(tail);
    if (tails_.size() > count) left.push_back(&tails_.back());
  }
}

void Lowering::write_tail(const Tail& tail) {
  const FrameState* state = tail.state;
  write_own_slots(state, tail.contents);
  u32 locks = tail.locks + own_records(*state);
  if (state->outer != nullptr) return b_.jump(tail_of(state->outer, tail.contents, locks).block);
  write_kind(tail.contents, locks, FrameContents::Kind::Inlining);
  b_.exit(b_.symbol(deoptimize_inlined_symbol), {no_node, b_.get(deopt_top_), locals(), thread_, at(frame_distance())});
}

Lowering::NodeId Lowering::instruction_address(u32 instruction) {
  NodeId instructions = symbol("instructions", graph_.method()->body.load(std::memory_order_relaxed)->instructions());
  return b_.address(instructions, no_node, 1, i64{instruction} * static_cast<i64>(sizeof(Instruction)));
}

void Lowering::store_slot(i64 distance, const Node* value) {
  b_.store(at(distance), value_of(value), Alias::JavaFrame);
}

// The value as the 64 bits of a slot; the upper half of an int or a float is 0.
Lowering::NodeId Lowering::as_word(const Node* node) {
  NodeId value = value_of(node);
  switch (node->type) {
    case Type::Int: return b_.value(low::Op::ZeroExtend, low::Type::I64, {value});
    case Type::Float:
      return b_.value(low::Op::ZeroExtend, low::Type::I64, {b_.value(low::Op::Bits, low::Type::I32, {value})});
    case Type::Double:
    case Type::Reference: return b_.value(low::Op::Bits, low::Type::I64, {value});
    default: return value;
  }
}

}  // namespace keyhole::graph
