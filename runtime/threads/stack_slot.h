// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackSlot: the memory of a continuation's stacks. Slots are all of one size and are used again, the last first,
// because touching fresh pages costs more than the rest of a mount.
//
//   low                                                                             high
//   | lock records -> | Java stack -> .... | reserved zone | guard page | .... <- native stack | link |
//                     ^ java_base          ^ java_limit    ^ java_end
//
// Many slots are one mapping: the kernel merges neighbours, and a process has 65,530 mappings at most. So a guard page
// that would split the mapping (before Linux 6.13) is there for the first slots only; both stacks have limits that
// software checks.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

struct StackSlot {
  char* memory = nullptr;   // null: no slot

  // No memory: null. Any thread.
  static StackSlot take();
  // Nobody uses its stacks any more.
  void give_back() const;

  // The thread's stacks lie in this slot from now on.
  void give_to(JavaThread* thread) const;
  char* native_stack() const;
  static usize native_stack_bytes();
};

}  // namespace keyhole
