// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Java frame, which interpreter, stack walker, exceptions, GC, OSR and the JIT tiers share.
//
// The Java stack grows up. A call's arguments are the caller's top operands and become the callee's first locals in
// place:
//
//      caller's operand stack            callee
//   ... | o0 | o1 | arg0 | arg1 |
//                 | l0   | l1   | l2 ... l(max_locals-1) | Frame | s0 | s1 | ... limit: max_stack
//                 ^ locals                               ^ frame        ^ sp: slot of the top operand
//
// Slots are 8 bytes, untagged; a reference is a full 64-bit address. long and double take two slots, the value in the
// UPPER one (local n+1, or the operand slot nearer the top); the lower one is never read.
// The top operand is in a register while a handler runs; `sp` points at the slot where it is spilled.
// With an empty operand stack sp == &frame->below_stack; the garbage spilled there is never read.
//
// At any point where a safepoint can be reached, for the thread's top frame and each caller:
//   pc   the instruction being executed (the state is that before it; it may be executed again), or the invoke in
//        progress
//   sp   slot of the top operand, all operands spilled; in a frame that is calling, the arguments are popped already
// vm/verify/frame_map.h computes from (method, bci) the slots that hold references.
//
// The frame of compiled code with inlined calls is of kind Inlining. It keeps the slots of each inlined activation
// where the interpreter would have made its frame, without a frame header. Stack walks therefore use virtual frames,
// one for each activation (vm/frames/layout/virtual_frame.h).
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

class Method;
struct Instruction;
using Slot = u64;

enum class FrameKind : u32 {
  Interpreted,  // made by the interpreter, or by compiled code with the interpreter's frame layout
  Inlining,     // made by compiled code with inlined calls; the call site lists the inlined activations
  // made for a native method: the locals are the arguments, with types from the method's descriptor; no operands
  Native,
  // made when C++ calls Java: the frame has no method; the arguments lie above it until the callee takes them
  Entry,
};

struct Frame {
  // The caller's frame; null in the thread's first Entry frame. Stack walks read callers through virtual frames
  // (virtual_frame.h).
  Frame* caller;
  Method* method;  // null for Entry
  const Instruction* pc;
  Slot* sp;
  Slot* locals;
  FrameKind kind;
  u32 lock_record_base;  // the thread's lock_record_top when the frame was made; the frame's lock records begin here
  void* native_sp;       // in Entry frames, the address of the native frame of the C++ function that has called Java
  Slot below_stack;

  bool runs_bytecode() const { return kind <= FrameKind::Inlining; }
  Slot* stack_base() { return reinterpret_cast<Slot*>(this + 1); }
};

}  // namespace keyhole
