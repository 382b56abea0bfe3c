// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackSegment: the memory of a continuation's stacks, 4 MiB of address space. Segments have one size. The segment that
// was freed last is used first, because touching fresh pages costs more than the rest of a mount.
//
//   low                                                                                                       high
//   | guard page | lock records -> .. | guard page | .. <- native stack, link | Java stack -> .. | reserved zone |
//                                                  ^ memory                   ^ java_base        ^ java_limit
//
// The native stack and the Java stack of a shallow thread lie in one page, which they begin in the midst of; one that
// has locked touches a second one. These and the guard pages are covered by one page table, which two megabytes of
// address space need, so segments need not be closer than that. The first guard page is behind the Java stack of the
// segment below.
//
// Many segments are one mapping: the kernel merges neighbours, and a process has 65,530 mappings at most. So a guard
// page that would split the mapping (before Linux 6.13) is there for the first segments only; both stacks have limits
// that software checks.
//
// Who finds no segment queues for one, and whoever gives a segment back gives it to the eldest in the queue: nobody who
// comes meanwhile takes it. Until the first shortage carriers keep some back (continuation_cache.h, R3).
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

struct StackSegment {
  char* memory = nullptr;   // null: no segment

  // Whether there is memory for one at all; it is kept. Any thread.
  static bool can_be_had();
  // For this continuation: `cached`, if there is one, or of the pool. False: there is none. Any thread.
  static bool take(JavaThread* continuation, StackSegment& cached);
  // The same. False: there is none, and the continuation is in the queue, where it may have been before.
  static bool take_or_queue(JavaThread* continuation, StackSegment& cached);
  // Under the list lock. Nobody uses its stacks any more. Returns who has it now, and may be waiting to run; null: it
  // is in the pool, or there was none.
  JavaThread* give_back() const;

  // The thread's stacks lie in this segment from now on.
  void give_to(JavaThread* thread) const;
  // The opposite: it has no stacks.
  static StackSegment taken_from(JavaThread* thread);
  char* native_stack() const { return memory; }
  static usize native_stack_bytes();
};

}  // namespace keyhole
