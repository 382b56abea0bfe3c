// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StructureLookups: detects that another thread may have read the address of a continuation that has just ended, in a
// field that the continuation clears before its end. A template over World, for thread_structures.h.
//
//   a thread that looks up           the mounter that ends the continuation
//   reads the field: an address      clears the field
//   notes the lookup                 fence (of the switch of threads)
//   reads the field again            any lookup?  no: reused at once;  yes: reused when all have passed a poll
//
// L1: at least one side sees the other's write: the second read finds the field cleared, or the mounter finds the note.
// L2: a note stays until an operation that began after it has reached all threads; by then the thread that looked up
//     has passed a poll. So there are two notes: one for lookups since the last operation began, one for earlier
//     lookups.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class StructureLookupsOf {
 public:
  // Notes the lookup and returns the field's content, an address or null. The caller may use the address until its next
  // poll. Called by any managed thread.
  template <typename Field> auto look_up(const Field& field) {
    if ((notes_.load(std::memory_order_seq_cst) & recent) == 0) notes_.fetch_or(recent, std::memory_order_seq_cst);
    return field.load(std::memory_order_seq_cst);  // L1
  }
  // Whether there is a note. Called by the mounter that ends a continuation, after a fence.
  bool any() const { return notes_.load(std::memory_order_seq_cst) != 0; }

  // Called when an operation begins (L2); there is one at a time.
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
