// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackSlots: the slots of the frame while a graph's code runs. Between calls its values are in registers; at a call
// everything that the frame's state names is in its home, and behind it what is still needed is loaded from there.
//
//   register:  v ────────────> call ────────────> v, loaded
//                 │  store      collections move objects, and walkers read the frame
//   home:         └──> [ v ] ───────────────────> [ v ]
//
// H1: a home is written at a call, unless it holds the value already. What it holds is known by a forward analysis:
//     arguments at the entry; what the last call's state names; at a merge what all edges agree on, a phi included.
// H2: behind a call a home holds what the state names, if the call has not taken it as an argument. All others are
//     unknown: the collector does not know that they live.
// H3: what lives across a call and has a home is loaded from there. What has none is made anew (mirrors, roots), or is
//     no reference and stays where the code generator puts it. A reference of another kind: the graph is refused.
// H4: what is in virtual objects has slots, too. Where code leaves they lie above all frames. In a call that place is
//     the callee's: there they lie between the frame's header and its operands, and all that the interpreter would have
//     there lies higher by their number, the arguments and frames that are inlined included:
//
//         locals of run | Frame | what is in objects | operands of run | locals of add | (Frame) | operands of add
//
//     Whoever makes frames of it moves that down (vm/frames/materialization.cpp).
#pragma once

#include <memory>

#include "jit/graph/ir/graph.h"
#include "jit/graph/ir/node_set.h"
#include "vm/bytecodes.h"

namespace keyhole::graph {

// Distances are in slots from the local 0 of the method that is compiled.
inline u32 operands_distance(const FrameState& state) {
  return static_cast<u32>(locals_distance(&state)) + state.method->max_locals + sizeof(Frame) / sizeof(Slot);
}

// Calls `visit(slot, node)` for each slot of the state's own frame that is not dead. `end`: operands from there on are
// left out.
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
// What the memory of a new object holds has no slot, and what is virtual itself neither; a box is a number.
inline bool has_field_slot(const Node* value) { return value->op != Op::virtual_object && !value->is_constant(0); }
// H4: by how much the state's slots lie higher in a call.
inline u32 shift_in_call(const FrameState& innermost) {
  u32 count = 0;
  for (const FieldValues& object : innermost.objects) {
    for (const Node* value : object.values) count += has_field_slot(value) ? 1 : 0;
  }
  return count;
}
// Behind the header of the method that is compiled.
inline u32 end_of_header(const FrameState& innermost) {
  const FrameState* root = &innermost;
  while (root->outer != nullptr) root = root->outer;
  return operands_distance(*root);
}
// H4. `shift`: in a call; where code leaves 0.
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

// The same of all its frames. `end`: of the innermost.
template <typename Visit>
void for_each_frame_slot(const FrameState& innermost, usize end, Visit&& visit, u32 shift = 0) {
  u32 header = end_of_header(innermost);
  auto shifted = [&](u32 slot, Node* value) { visit(slot < header ? slot : slot + shift, value); };
  for_each_own_slot(innermost, end, shifted);
  for (const FrameState* state = innermost.outer; state != nullptr; state = state->outer)
    for_each_own_slot(*state, state->operands.size(), shifted);
}
// And of virtual objects.
template <typename Visit> void for_each_slot(const FrameState& innermost, usize end, Visit&& visit, u32 shift = 0) {
  for_each_frame_slot(innermost, end, visit, shift);
  for_each_field_slot(innermost, visit, shift);
}

// Calls `visit(lock)` for each lock of the state and of those that it is inlined in, innermost first.
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
// Of these: those that the code does not count (S6).
inline u32 eliminated_locks(const FrameState* state) {
  u32 count = 0;
  for_each_lock(state, [&](const HeldLock& lock) { count += lock.is_eliminated ? 1 : 0; });
  return count;
}
// Of these: those of objects that are not made (S8).
inline u32 scalar_replaced_locks(const FrameState* state) {
  u32 count = 0;
  for_each_lock(state, [&](const HeldLock& lock) { count += lock.object->is_virtual() ? 1 : 0; });
  return count;
}
// In a call: who leaves enters the others first.
inline u32 held_locks(const FrameState* state) {
  return all_locks(state) - eliminated_locks(state) - scalar_replaced_locks(state);
}
// Where code leaves, of the state's own frame: those that have records when the frame is the interpreter's.
inline u32 own_records(const FrameState& state) {
  u32 count = 0;
  for (const HeldLock* lock = state.locks; lock != nullptr; lock = lock->outer) {
    if (!lock->object->is_virtual()) ++count;
  }
  return count;
}
// Does it name what is not made?
inline bool names_scalar_replaced(const FrameState* state) {
  bool found = scalar_replaced_locks(state) != 0;
  for_each_slot(*state, state->operands.size(), [&](u32, const Node* value) { found |= value->is_virtual(); });
  return found;
}

// The cell is a monitorenter. That of an inlined synchronized method is the call of that.
inline bool is_monitorenter(const Node* node) {
  return node->op == Op::monitor_enter && node->state->method->code[node->state->bci] == MONITORENTER;
}
inline bool is_monitorexit(const Node* node) {
  return node->op == Op::monitor_exit && node->state->method->code[node->state->bci] == MONITOREXIT;
}

// What is in the frame at one place.
struct FrameContents {
  enum class Kind : u8 { Unknown, Interpreted, Inlining };   // FrameKind, in the header

  std::vector<const Node*> slots;   // null: unknown
  bool has_header = false;          // caller, method, lock record base: before the first call
  Kind kind = Kind::Unknown;

  // In a call.
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
  // Otherwise it is written before the first call. Where paths with and without a call meet, nobody could tell whether
  // it is there; and a header that has been there in a call is not written again, because redefinition changes it.
  bool writes_header_at_entry() const { return writes_header_at_entry_; }
  // Lives across a call, and is loaded or made anew behind it.
  bool is_reloaded(const Node* node) const { return is_reloaded_[node->id]; }
  // Of them what lives across this call.
  const std::vector<Node*>& survivors(const Node* call) const { return survivors_[call->id]; }
  // Of a monitorenter: were it a call, would all that lives behind it be there?
  bool survives_call(const Node* enter) const { return !is_refused_[enter->id]; }
  // Where it is behind the call, in slots; -1: nowhere.
  static i64 slot_after(const Node* call, const Node* value);
  static bool is_rematerialized(const Node* value);
  // A reference without a home, or null.
  const Node* refused() const { return refused_; }

  const FrameContents& at_begin(const Block* block) const { return begins_[block->id]; }
  static void pass(FrameContents& contents, const Node* call);
  // Of all frames that one of the graph's states has, with their operands and the fields of virtual objects.
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
  std::vector<bool> is_reloaded_, is_refused_;        // by id of nodes
  std::vector<std::vector<Node*>> survivors_;         // by id of calls
  std::vector<Node*> nodes_;                          // by id
  std::vector<FrameContents> begins_, ends_;          // by id of blocks
  std::vector<bool> is_reached_;
  std::vector<u32> changes_;                          // of each slot of each block: bounded
};

}  // namespace keyhole::graph
