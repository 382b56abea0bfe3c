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

  // Maps memory for at least one segment; it stays mapped. Returns false if there is no memory. Called by any thread.
  static bool can_be_had();
  // Gives the continuation the segment `cached`, or a segment of the pool if `cached` is empty. Returns false if the
  // pool is empty, too. Called by any thread.
  static bool take(JavaThread* continuation, StackSegment& cached);
  // Does the same as take(), but if there is no segment, queues the continuation for one and returns false.
  static bool take_or_queue(JavaThread* continuation, StackSegment& cached);
  // Gives this segment back; no thread uses it any more. Called under the list lock. If a continuation is queued for a
  // segment, it gets this segment, and the function returns the continuation, which the caller has to unblock.
  // Otherwise the segment goes to the pool, and the function returns null. If this StackSegment is empty, the function
  // only returns null.
  JavaThread* give_back() const;

  // Lays out the thread's stacks in this segment.
  void give_to(JavaThread* thread) const;
  // Takes the segment from the thread. The thread has no stacks afterwards.
  static StackSegment taken_from(JavaThread* thread);
  char* native_stack() const { return memory; }
  static usize native_stack_bytes();
};

}  // namespace keyhole
