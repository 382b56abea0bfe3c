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
// Both stacks begin inside one page, so a shallow thread touches one page; its lock records touch a second one. These
// pages and the guard pages share one page table, which covers two megabytes, so there is no need to lay segments
// closer together. The first guard page protects the end of the segment below.
//
// One mapping holds many segments, because a process has 65,530 mappings at most; the kernel merges neighbours anyway.
// Before Linux 6.13 a guard page splits a mapping. There only the first segments have guard pages; software checks the
// limits of both stacks in any case.
//
// A continuation that finds no free segment queues for one. A returned segment goes to the first in the queue, and no
// later thread can take it. Until the first shortage carriers cache segments (continuation_cache.h R3).
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

struct StackSegment {
  char* memory = nullptr;  // null: no segment

  // True: there is memory for at least one segment; it stays mapped. Any thread.
  static bool can_be_had();
  // Gives the continuation the segment `cached`, if there is one, or one of the pool. False: there is none. Any thread.
  static bool take(JavaThread* continuation, StackSegment& cached);
  // The same. False: there is none, and the continuation is in the queue.
  static bool take_or_queue(JavaThread* continuation, StackSegment& cached);
  // Returns the segment, which no thread uses any more, under the list lock. The result is the queued continuation that
  // got it and has to be unblocked; null: it went to the pool, or there was none.
  JavaThread* give_back() const;

  // Lays the thread's stacks into this segment.
  void give_to(JavaThread* thread) const;
  // The opposite: the thread has no stacks afterwards.
  static StackSegment taken_from(JavaThread* thread);
  char* native_stack() const { return memory; }
  static usize native_stack_bytes();
};

}  // namespace keyhole
