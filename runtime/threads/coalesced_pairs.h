// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CoalescedPairs: pairs of enter and exit that a thread counts instead of recording each one, while locks are recorded
// (runtime/sync/recording/coalescing.h). A thread's snippets read and write the table.
#pragma once

#include "runtime/object/object.h"

namespace keyhole {

struct CoalescedPairs {
  // The object whose pairs of enter and exit this entry counts; null in a free entry. Written by the thread that owns
  // the table, or by another thread that has stopped the owner.
  Object* object = nullptr;
  u32 left = 0;    // the number of pairs that the thread may still count before it records the count as an event
  u32 number = 0;  // the object's number in the recording
};

// The number of entries in a thread's table. Bits of the object's address select an entry.
inline constexpr u32 coalesced_pairs_count = 256;
inline constexpr u32 coalesced_pairs_mask = (coalesced_pairs_count - 1) * sizeof(CoalescedPairs);
inline CoalescedPairs* coalesced_pairs_of(CoalescedPairs* table, const Object* object) {
  uptr offset = reinterpret_cast<uptr>(object) & coalesced_pairs_mask;
  return reinterpret_cast<CoalescedPairs*>(reinterpret_cast<char*>(table) + offset);
}

// The table shared by all threads that coalesce no events, such as threads that are not recorded. It is never written.
extern CoalescedPairs no_coalesced_pairs[coalesced_pairs_count];

}  // namespace keyhole
