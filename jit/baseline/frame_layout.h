// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame layout: offsets in a compiled method's frame, which has the interpreter's layout (runtime/threads/frame.h). All
// parts of the frame are at constant distances from local 0:
//
//   locals_register                  field()                stack_slot(0)  stack_slot(1)
//   v                                v                      v              v
//   | local 0 | local 1 | ... | ... | Frame                | operand      | operand      | ...
#pragma once

#include "jit/baseline/registers.h"
#include "runtime/threads/frame.h"

namespace keyhole::baseline {

class FrameLayout {
 public:
  explicit FrameLayout(u32 max_locals) : frame_distance_(static_cast<i32>(max_locals * sizeof(Slot))) {}

  Mem local(u32 local, u32 bytes = 8) const {
    return x86::ptr(locals_register, static_cast<i32>(local * sizeof(Slot)), bytes);
  }
  Mem field(usize offset, u32 bytes = 8) const {
    return x86::ptr(locals_register, frame_distance_ + static_cast<i32>(offset), bytes);
  }
  // Returns the stack slot with this number, counted from the bottom of the operand stack. Number -1 is the slot below
  // all operands.
  Mem stack_slot(u32 slot, u32 bytes = 8) const {
    return x86::ptr(locals_register, stack_slot_distance(static_cast<i32>(slot)), bytes);
  }
  // Returns the slot's address as an operand for lea, which accesses no memory.
  Mem address_of_stack_slot(u32 slot) const { return stack_slot(slot, 0); }
  i32 stack_slot_distance(i32 slot) const {
    return frame_distance_ + static_cast<i32>(sizeof(Frame)) + slot * static_cast<i32>(sizeof(Slot));
  }

 private:
  i32 frame_distance_;
};

}  // namespace keyhole::baseline
