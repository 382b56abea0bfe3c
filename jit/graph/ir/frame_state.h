// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// States: the interpreter's frames at a point of a graph, as values.
// LIFE(deoptimization) 1/10: each instruction that may deoptimize keeps one, a FrameState
//
//   frame of the inlined method      method, bci | locals | operands | locks held
//     outer: its caller              the same, in the call at bci: without the call's arguments
//       outer ...
//
// Where their slots are, counted from the locals of the outermost frame (runtime/threads/frame.h; headers of inlined
// frames are room that is not written):
//
//     locals of run | Frame | operands of run | locals of add | Frame | operands of add | locals of put | ...
//     0                                       ^ locals_distance(add)                    ^ locals_distance(put)
//
// S1: a state describes the frame before the cell at `bci`: who leaves with it executes that cell again. So nothing
//     that the cell does has been done, and everything before it has.
// S2: slots are those of a frame (runtime/threads/frame.h): the value of a long or a double is in the upper one, the
//     lower one is null. A local that is dead is null, too. What the frame maps call a live reference is not null.
//     An outer frame is in its call: its operands end below the arguments, which have become the locals of the frame
//     inside. It goes on behind the cell, with the result on top.
// S3: callers and outer locks are shared between states, and never change but by Graph::resolve_replacements.
// S4: the locals of an inlined frame lie right above its caller's operands, its header above its max_locals, and its
//     operands above that: where the interpreter would have made the frame.
// S5: a virtual object (escape_analysis.cpp) that a state names has the values in its fields with the state of the node
//     itself, not with those of callers: they are what they are there. What these values name is there, too.
// S6: a monitor that is left out is held by an outer lock of the same object, too: the code does not count this level
//     (nested_locks.cpp). Who leaves enters it, before the interpreter goes on.
// S7: a monitor that is still held is that of a region that has ended for the frames, not for the code
//     (lock_coarsening.cpp): it is the innermost of all that the code holds. Who leaves gives it back first.
// S8: a monitor of a virtual object is held by the frames, and the code has no record of it (escape_analysis.cpp, E5).
//     Who leaves enters it when the object is made, behind all others: so it lies inside of them.
// S9: a monitor without a record is held by the code, and the thread has no record of it (lock_record_elimination.cpp).
//     It is the innermost of all that the code holds. Who leaves makes the record first.
#pragma once

#include <span>

#include "runtime/threads/frame.h"
#include "vm/metadata/method.h"

namespace keyhole::graph {

struct Node;

// Innermost first.
struct HeldLock {
  Node* object;
  HeldLock* outer;
  bool is_eliminated = false;     // S6
  bool has_no_record = false;   // S9
};

// What is in a virtual object: values in the order of its layout.
struct FieldValues {
  Node* object;
  std::span<Node*> values;
};

struct FrameState {
  FrameState* outer;          // of the caller; null: the method that is compiled
  Method* method;
  u32 cell, bci;
  std::span<Node*> locals, operands;
  HeldLock* locks;       // of this method
  std::span<FieldValues> objects;   // S5
  Node* coarsened_lock = nullptr;   // S7
};

// S4, in slots.
inline i64 locals_distance(const FrameState* state) {
  i64 distance = 0;
  for (const FrameState* caller = state->outer; caller != nullptr; caller = caller->outer) {
    distance += caller->method->max_locals + static_cast<i64>(sizeof(Frame) / sizeof(Slot) + caller->operands.size());
  }
  return distance;
}

}  // namespace keyhole::graph
