// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StructureLookups: detects that another thread may still use the structure of a continuation that has just ended,
// because it has read the structure's address in the continuation's field (Thread.eetop). The continuation clears that
// field before it ends. A template over World, for thread_structures.h.
//
//   a thread that looks up           the ending continuation, then its mounter
//   reads the field: an address      the continuation clears the field
//   notes the lookup                 fence (of the switch of threads)
//   reads the field again            the mounter reads the notes.  none: reuses the structure at once;
//                                    any: reuses it when all threads have passed a poll
//
// L1: at least one side sees the other's write: the second read finds the field cleared, or the mounter finds the note.
// L2: an operation is a safepoint, or a handshake with all threads. A note is removed when an operation that began
//     after the lookup has reached all threads, because the thread that looked up has passed a poll by then. So there
//     are two notes: `recent` for lookups since the last operation began, `earlier` for lookups before that.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class StructureLookupsOf {
 public:
  // Notes the lookup and returns the content of `field`, a Thread.eetop: the address of a thread's structure, or null.
  // The caller may use the address until its next poll. Called by any managed thread.
  template <typename Field> auto look_up(const Field& field) {
    if ((notes_.load(std::memory_order_seq_cst) & recent) == 0) notes_.fetch_or(recent, std::memory_order_seq_cst);
    return field.load(std::memory_order_seq_cst);  // L1
  }
  // Whether some lookup is noted, so that a thread may still use an address that it has looked up. Called by the
  // mounter that ends a continuation, after a fence.
  bool any() const { return notes_.load(std::memory_order_seq_cst) != 0; }

  // Called when a safepoint or a handshake with all threads begins (L2). Only one of them is in progress at a time.
  void operation_begins() {
    u32 seen = notes_.load(std::memory_order_relaxed);
    while (seen != 0 && !notes_.compare_exchange_weak(seen, earlier, std::memory_order_seq_cst)) {
    }
  }
  void operation_has_reached_all() { notes_.fetch_and(~earlier, std::memory_order_seq_cst); }

 private:
  static constexpr u32 recent = 1, earlier = 2;
  typename W::template Atomic<u32> notes_{0};
};

}  // namespace keyhole
