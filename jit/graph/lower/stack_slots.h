// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack slots of the frame while compiled code runs. Between calls values are in registers. At a call every value that
// the frame state names is in its slot. After the call, the code reloads the values that it still needs.
//
//   register:  v ────────────> call ────────────> v, reloaded
//                 │  store      collections move objects, and stack walks read the frame
//   slot:         └──> [ v ] ───────────────────> [ v ]
//
// H1: at a call the code writes each slot that does not hold its value already. A forward analysis computes the
//     contents of slots. At the entry they are the arguments, and after a call the values of its frame state. At a
//     merge a slot keeps the value that all edges agree on, or the phi that has the edges' values as its inputs.
// H2: after a call a slot holds the value that the call's frame state has in it, unless the slot was an argument of the
//     call. The contents of all other slots are unknown, because the collector has not updated them.
// H3: a value that lives across a call is reloaded from its slot. If it has none, a mirror or a root is rematerialized,
//     and a value that is no reference stays where the code generator keeps it. A graph in which any other reference
//     lives across a call without a slot is refused.
// H4: the fields of virtual objects have slots, too. At a deopt exit these slots lie above all frames. In a call the
//     callee's frame is there, so the fields lie between the frame's header and its operands. This moves operands,
//     arguments and inlined frames up, by the number of fields, from where the interpreter expects them. For example,
//     if the compiled method is run, into which add is inlined:
//
//         locals of run | Frame | fields of objects | operands of run | locals of add | (Frame) | operands of add
//
//     Deoptimization moves everything above the fields down (vm/frames/materialization.cpp).
#pragma once

#include <memory>

#include "jit/graph/ir/graph.h"
#include "jit/graph/ir/node_set.h"
#include "vm/bytecodes.h"

namespace keyhole::graph {

// The distance of the frame's operands from local 0 of the compiled method. All distances in this file are in slots.
inline u32 operands_distance(const FrameState& state) {
  return static_cast<u32>(locals_distance(&state)) + state.method->max_locals + sizeof(Frame) / sizeof(Slot);
}

// Calls `visit(slot, node)` for each slot of the frame state's own frame that has a value. Skips the operands from
// number `end` on.
template <typename Visit> void for_each_own_slot(const FrameState& state, usize end, Visit&& visit) {
  u32 first = static_cast<u32>(locals_distance(&state));
  for (u32 i = 0; i < state.locals.size(); ++i) {
    if (state.locals[i] != nullptr) visit(first + i, state.locals[i]);
  }
  first = operands_distance(state);
  for (u32 i = 0; i < end; ++i) {
    if (state.operands[i] != nullptr) visit(first + i, state.operands[i]);
  }
}
// Whether the value of a field needs a stack slot. Zero needs none, because the memory of a new object is zero. A
// virtual object needs none either. A virtual box needs a slot for the int that it boxes.
inline bool has_field_slot(const Node* value) { return value->op != Op::virtual_object && !value->is_constant(0); }
// H4: the number of slots by which operands, arguments and inlined frames move up during a call. The fields of virtual
// objects take these slots.
inline u32 shift_in_call(const FrameState& innermost) {
  u32 count = 0;
  for (const FieldValues& object : innermost.objects) {
    for (const Node* value : object.values) count += has_field_slot(value) ? 1 : 0;
  }
  return count;
}
// The first slot after the frame header (`Frame`) of the compiled method, whose frame is the outermost.
inline u32 end_of_header(const FrameState& innermost) {
  const FrameState* root = &innermost;
  while (root->outer != nullptr) root = root->outer;
  return operands_distance(*root);
}
// Returns the first slot of the fields of virtual objects (H4). `shift` is shift_in_call() for a call, and 0 for a
// deopt exit.
inline u32 fields_distance(const FrameState& innermost, u32 shift = 0) {
  return shift != 0 ? end_of_header(innermost) : operands_distance(innermost) + innermost.method->max_stack;
}
template <typename Visit> void for_each_field_slot(const FrameState& innermost, Visit&& visit, u32 shift = 0) {
  u32 slot = fields_distance(innermost, shift);
  for (const FieldValues& object : innermost.objects) {
    for (Node* value : object.values) {
      if (has_field_slot(value)) visit(slot++, value);
    }
  }
}

// Calls `visit(slot, node)` for each slot of all frames that has a value. Skips the operands of the innermost frame
// from number `end` on.
template <typename Visit>
void for_each_frame_slot(const FrameState& innermost, usize end, Visit&& visit, u32 shift = 0) {
  u32 header = end_of_header(innermost);
  auto shifted = [&](u32 slot, Node* value) { visit(slot < header ? slot : slot + shift, value); };
  for_each_own_slot(innermost, end, shifted);
  for (const FrameState* state = innermost.outer; state != nullptr; state = state->outer)
    for_each_own_slot(*state, state->operands.size(), shifted);
}
// Calls `visit(slot, node)` for each slot that for_each_frame_slot visits, and for the slots of the fields of virtual
// objects.
template <typename Visit> void for_each_slot(const FrameState& innermost, usize end, Visit&& visit, u32 shift = 0) {
  for_each_frame_slot(innermost, end, visit, shift);
  for_each_field_slot(innermost, visit, shift);
}

// Calls `visit(lock)` for each lock of the frame state and its outer ones, from the innermost lock to the outermost.
template <typename Visit> void for_each_lock(const FrameState* state, Visit&& visit) {
  for (; state != nullptr; state = state->outer) {
    for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) visit(*lock);
  }
}
inline u32 all_locks(const FrameState* state) {
  u32 count = 0;
  for_each_lock(state, [&](const HeldLock&) { ++count; });
  return count;
}
// The number of nesting levels that the code has eliminated (frame_state.h S6).
inline u32 eliminated_locks(const FrameState* state) {
  u32 count = 0;
  for_each_lock(state, [&](const HeldLock& lock) { count += lock.is_eliminated ? 1 : 0; });
  return count;
}
// The number of locks of virtual objects (frame_state.h S8).
inline u32 scalar_replaced_locks(const FrameState* state) {
  u32 count = 0;
  for_each_lock(state, [&](const HeldLock& lock) { count += lock.object->is_virtual() ? 1 : 0; });
  return count;
}
// The number of locks that the code holds. The frame state may list more locks; deoptimization acquires these.
inline u32 held_locks(const FrameState* state) {
  return all_locks(state) - eliminated_locks(state) - scalar_replaced_locks(state);
}
// The number of lock records of the frame state's own frame at the end of a deopt exit. Monitors of virtual objects get
// their records later (frame_state.h S8).
inline u32 own_records(const FrameState& state) {
  u32 count = 0;
  for (const HeldLock* lock = state.locks; lock != nullptr; lock = lock->outer) {
    if (!lock->object->is_virtual()) ++count;
  }
  return count;
}
// Whether the frame state names a virtual object or box.
inline bool names_scalar_replaced(const FrameState* state) {
  bool found = scalar_replaced_locks(state) != 0;
  for_each_slot(*state, state->operands.size(), [&](u32, const Node* value) { found |= value->is_virtual(); });
  return found;
}

// Whether the enter belongs to a monitorenter instruction. Any other enter belongs to the invoke of an inlined
// synchronized method.
inline bool is_monitorenter(const Node* node) {
  return node->op == Op::monitor_enter && node->state->method->code[node->state->bci] == MONITORENTER;
}
inline bool is_monitorexit(const Node* node) {
  return node->op == Op::monitor_exit && node->state->method->code[node->state->bci] == MONITOREXIT;
}

// What the stack slots of the frame contain at one place of the code.
struct FrameContents {
  enum class Kind : u8 { Unknown, Interpreted, Inlining };  // the FrameKind in the header

  std::vector<const Node*> slots;  // the value in each slot; null if it is unknown
  bool has_header = false;         // whether the code has written the frame's header (lower.h, M3)
  Kind kind = Kind::Unknown;

  // The kind that the frame's header shows during a call with this frame state.
  static Kind kind_at(const FrameState* state) {
    bool has_views = state->outer != nullptr || eliminated_locks(state) != 0 || names_scalar_replaced(state);
    return has_views ? Kind::Inlining : Kind::Interpreted;
  }
  friend bool operator==(const FrameContents&, const FrameContents&) = default;
};

class StackSlots {
 public:
  explicit StackSlots(const Graph& graph);

  bool has_calls() const { return has_calls_; }
  // Whether the code writes the frame's header at the entry. The code does so if a path with a call and a path without
  // a call merge: after the merge the code could not tell whether the header exists. Otherwise the code writes the
  // header before the first call. The code never writes the header twice, because the redefinition of a class may
  // change the header during a call.
  bool writes_header_at_entry() const { return writes_header_at_entry_; }
  // Whether the value lives across any call. Such a value is reloaded or rematerialized after the call.
  bool is_reloaded(const Node* node) const { return is_reloaded_[node->id]; }
  // The values that are reloaded after this call.
  const std::vector<Node*>& survivors(const Node* call) const { return survivors_[call->id]; }
  // Whether this monitorenter could be a call: every value that lives after it could be reloaded.
  bool survives_call(const Node* enter) const { return !is_refused_[enter->id]; }
  // Returns the number of the slot that still holds the value after the call, or -1 if no slot does.
  static i64 slot_after(const Node* call, const Node* value);
  static bool is_rematerialized(const Node* value);
  // A reference that lives across a call but has no stack slot (H3); null if every such reference has one.
  const Node* refused() const { return refused_; }

  const FrameContents& at_begin(const Block* block) const { return begins_[block->id]; }
  static void pass(FrameContents& contents, const Node* call);
  // The number of slots that the largest frame state needs: its frames with their operands, and the fields of its
  // virtual objects.
  usize slot_count() const { return slot_count_; }

 private:
  void find_survivors();
  static void use_backwards(const Node* node, NodeSet& live);
  void note_survivors(const Node* call, const NodeSet& live);
  bool has_reference_without_slot(const Node* enter, const NodeSet& live) const;
  void find_contents();
  bool merge(const Block* block, FrameContents& into);
  bool has_header_on_some_paths() const;

  const Graph& graph_;
  bool has_calls_ = false, writes_header_at_entry_ = false;
  const Node* refused_ = nullptr;
  usize slot_count_ = 0;
  std::vector<bool> is_reloaded_, is_refused_;  // by node id
  std::vector<std::vector<Node*>> survivors_;   // by id of the call
  std::vector<Node*> nodes_;                    // by id
  std::vector<FrameContents> begins_, ends_;    // by id of the block
  std::vector<bool> is_reached_;
  // how often the contents of a slot have changed at the begin of a block; a limit of this number ends the analysis
  std::vector<u32> changes_;
};

}  // namespace keyhole::graph
