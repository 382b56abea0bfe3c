// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame states: the interpreter frames at a point of a graph, as values. Deoptimization builds the frames from them.
// LIFE(deoptimization) 1/10: each instruction that may deoptimize keeps one, a FrameState
//
//   frame of the inlined method      method, bci | locals | operands | locks held
//     outer: its caller              the same, in the call at bci, without the call's arguments
//       outer ...
//
// Slots are counted from the locals of the outermost frame (runtime/threads/frame.h). The headers of inlined frames
// take up room, but compiled code does not write them:
//
//     locals of run | Frame | operands of run | locals of add | Frame | operands of add | locals of put | ...
//     0                                       ^ locals_distance(add)                    ^ locals_distance(put)
//
// S1: a frame state describes the frame before the instruction at `bci`, which the interpreter executes after
//     deoptimization. So all effects of earlier instructions have happened, and none of this one.
// S2: slots are those of a frame (runtime/threads/frame.h). A long or a double is in the upper of its two slots, and
//     the lower one is null. A dead local is null. A local that is a live reference in the frame maps is not null. An
//     outer frame is in its call: its operands end below the arguments, which are the callee's locals. It continues
//     after the call, with the result on top.
// S3: frame states share callers and outer locks. Only Graph::resolve_replacements changes these.
// S4: the locals of an inlined frame follow its caller's operands, its header follows its max_locals, and its operands
//     follow the header: the interpreter would build the frame in the same place.
// S5: the frame state of the node itself, not that of a caller, lists the field values of every virtual object that any
//     of the frames names (escape_analysis.cpp). It also lists the objects that these values name.
// S6: the code does not count an eliminated nesting level: an outer lock of the same object is held, too
//     (nested_locks.cpp). Deoptimization enters the level before the interpreter continues.
// S7: the code still holds a coarsened lock, although its region has ended for the frames (lock_coarsening.cpp). It is
//     the innermost lock that the code holds. Deoptimization releases it first.
// S8: the frames hold the monitor of a virtual object, but the code has not acquired it (escape_analysis.cpp, E5).
//     Deoptimization acquires it after all others, when it materializes the object, so it is inside of them.
// S9: the code holds a monitor without a record, which the thread's lock records do not show
//     (lock_record_elimination.cpp). It is the innermost monitor that the code holds. Deoptimization adds the record
//     first.
#pragma once

#include <span>

#include "runtime/threads/frame.h"
#include "vm/metadata/method.h"

namespace keyhole::graph {

struct Node;

// A locked object; the locks of a frame are linked from the innermost outwards.
struct HeldLock {
  Node* object;
  HeldLock* outer;
  bool is_eliminated = false;  // S6
  bool has_no_record = false;  // S9
};

// The values in the fields of a virtual object, in the order of its layout.
struct FieldValues {
  Node* object;
  std::span<Node*> values;
};

struct FrameState {
  FrameState* outer;  // the caller's frame state; null if this is the compiled method
  Method* method;
  u32 instruction, bci;
  std::span<Node*> locals, operands;
  HeldLock* locks;                 // the locks of this method's frame
  std::span<FieldValues> objects;  // S5
  Node* coarsened_lock = nullptr;  // S7
};

// The distance of the frame's locals (S4), in slots.
inline i64 locals_distance(const FrameState* state) {
  i64 distance = 0;
  for (const FrameState* caller = state->outer; caller != nullptr; caller = caller->outer) {
    distance += caller->method->max_locals + static_cast<i64>(sizeof(Frame) / sizeof(Slot) + caller->operands.size());
  }
  return distance;
}

}  // namespace keyhole::graph
