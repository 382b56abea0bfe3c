// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread's counters and adaptive sizes of allocation. The owner writes them. They are read, summed and cleared with
// the world stopped, and added to the totals when the thread ends, so running threads share no counter of allocation.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

// Counts of allocation from the shared regions. gc/heap/shared_allocator.h explains their slots and a thread's home
// slot.
struct AllocationCounters {
  u64 pieces = 0;         // the number of pieces allocated: TLABs, and objects outside of TLABs
  u64 cas_failures = 0;   // failed CASes of a region's top; a CAS fails when another thread has moved the top
  u64 probes = 0;         // the number of slots next to the home slot that were examined
  u64 early_refills = 0;  // refills of a home slot before it was empty, made only while the heap lock is free
  u64 slow_rounds = 0;    // the number of TLABs and objects whose allocation needed the heap lock

  void add(const AllocationCounters& other) {
    pieces += other.pieces;
    cas_failures += other.cas_failures;
    probes += other.probes;
    early_refills += other.early_refills;
    slow_rounds += other.slow_rounds;
  }
};

// The sizes of the thread's buffers (gc/heap/tlab.h). `since` in a name means since the last collection.
struct TlabState {
  u64 desired_bytes = 0;  // the wanted size of a buffer (gc/heap/tlab.h); 0: not computed yet
  u64 next_bytes = 0;     // the size of the thread's next buffer; doubles up to desired_bytes
  // If the unused rest of the buffer is larger than this limit, an object that does not fit into the rest is allocated
  // outside of the buffer, and the thread keeps the buffer.
  u64 refill_waste_limit_bytes = 0;
  u64 bytes_since = 0;  // bytes handed out in buffers
  u64 outside_bytes_since = 0;
  u64 slow_waste_bytes_since = 0;  // unused rests of replaced buffers
  u64 collection_waste_bytes = 0;  // the unused rest of the current buffer when the latest collection began
  u32 refills_since = 0;
  u32 slow_allocations_since = 0;  // objects allocated outside of buffers
  u32 samples = 0;
  // The thread's share of all allocation: an average in which later collections have more weight. It is unknown while
  // `samples` is 0.
  f64 fraction_average = 0;
};

struct AllocationState {
  u32 home_slot = 0;     // index of the thread's home slot (gc/heap/shared_allocator.h); unset while home_slot_of is 0
  u32 home_slot_of = 0;  // the number of slots when home_slot was chosen
  void* home_span = nullptr;  // the span last seen in the home slot (gc/heap/space.h); null after tlab::retire
  AllocationCounters counters;
  TlabState tlab;
  // Whether the last allocation failed because of the overhead limit (gc/heap/overhead_limit.h).
  bool overhead_limit_exceeded = false;
};

}  // namespace keyhole
