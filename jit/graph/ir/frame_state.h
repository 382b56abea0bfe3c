// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame states: the interpreter frames at a point of a graph, as values. Deoptimization builds the frames from them.
// LIFE(deoptimization) 1/10: each node that may deoptimize keeps a FrameState
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
//     deoptimization. At this point all effects of earlier instructions have happened, and no effect of the instruction
//     at `bci`.
// S2: locals and operands have one entry per slot of a frame (runtime/threads/frame.h). A long or a double is in the
//     upper of its two slots. The entry of the lower slot is null, and so is that of a dead local. If the frame maps
//     list a local as a live reference, its entry is a node. An outer frame has stopped in a call: its operands end
//     below the arguments, which are the callee's locals. After the call it continues with the result on top of its
//     operands.
// S3: frame states share the FrameStates of their callers and the HeldLocks of outer locks. A phase changes a shared
//     one only if the change holds for every frame state that shares it; otherwise it makes a copy.
// S4: the locals of an inlined frame follow its caller's operands, its header follows its max_locals, and its operands
//     follow the header: the interpreter would build the frame in the same place.
// S5: the innermost frame state lists the field values of every virtual object that it or an outer frame state names
//     (escape_analysis.cpp), and of every virtual object among these values.
// S6: a frame state may list an eliminated nesting level, which the code has not entered (nested_locks.cpp). The code
//     holds an outer lock of the same object. Deoptimization enters the level before the interpreter continues.
// S7: a coarsened lock is a monitor that the code still holds, although the interpreter frames have released it
//     (lock_coarsening.cpp). It is the innermost lock that the code holds. Deoptimization releases it.
// S8: a frame state may list the monitor of a virtual object, which the code has not acquired (escape_analysis.cpp,
//     E5). Deoptimization acquires it after all other monitors, when it materializes the object. So no other monitor is
//     locked inside its region.
// S9: the code may hold a monitor that has no lock record (lock_record_elimination.cpp). It is the innermost monitor
//     that the code holds. Deoptimization adds the record.
#pragma once

#include <span>

#include "runtime/threads/frame.h"
#include "vm/metadata/method.h"

namespace keyhole::graph {

struct Node;

// A locked object. The locks of a frame form a list, innermost first.
struct HeldLock {
  Node* object;
  HeldLock* outer;
  bool is_eliminated = false;  // S6
  bool has_no_record = false;  // S9
};

// The values of the fields of a virtual object, in the order of the VirtualLayout.
struct FieldValues {
  Node* object;
  std::span<Node*> values;
};

struct FrameState {
  FrameState* outer;  // the caller's frame state; null if this is the compiled method
  Method* method;
  u32 instruction, bci;
  std::span<Node*> locals, operands;
  HeldLock* locks;                 // the locks that this method's frame holds, without those of its callers
  std::span<FieldValues> objects;  // S5
  Node* coarsened_lock = nullptr;  // S7
};

// The distance in slots from local 0 of the compiled method to local 0 of this frame (S4).
inline i64 locals_distance(const FrameState* state) {
  i64 distance = 0;
  for (const FrameState* caller = state->outer; caller != nullptr; caller = caller->outer) {
    distance += caller->method->max_locals + static_cast<i64>(sizeof(Frame) / sizeof(Slot) + caller->operands.size());
  }
  return distance;
}

}  // namespace keyhole::graph
