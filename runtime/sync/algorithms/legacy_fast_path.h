// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of stack-locking as a snippet.
//
//   enter   header 01: store it in the frame's record, then CAS the header to (klass, record, 00)
//           header 00, pointing at a record of this thread: mark the new record as a recursion
//           header 10: take the monitor's fast path
//   exit    the record is marked as a recursion: clear the mark; the header is not read
//           the record keeps a header: CAS the object's header from (klass, record, 00) to the kept one
//           the record is 0: the level was entered through the monitor; take the monitor's fast path
//
// A function that returns false has changed nothing, and the caller takes the slow path. Rules:
// runtime/sync/algorithms/legacy.h.
#pragma once

#include "runtime/sync/monitor/monitor_fast_path.h"

namespace keyhole::sync {

// The value of a lock record's `displaced` that marks a recursive level. The record of the first level has a header
// word there (low bits 01), and the record of a level that was entered through the monitor has 0.
inline constexpr u64 stack_lock_recursion = 0b10;

template <typename W> struct LegacyFastPath {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;

  static u64 held_word(u64 free_word, const LockRecord* record) {
    return layout::displacing_word(free_word, reinterpret_cast<uptr>(record), layout::locked);
  }

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord* record) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 word = W::load(header, Order::acquire);
    if ((word & layout::lock_mask) == layout::unlocked) [[likely]] {
      record->displaced.store(word, std::memory_order_relaxed);
      // acquire: pairs with the release in exit (legacy.h R2). release: a thread that reads the record's address finds
      // the header in it (legacy.h R3).
      if (W::cas(header, word, held_word(word, record), Order::acq_rel) == word) [[likely]] {
        if constexpr (W::notes_snippets) W::note_in_snippet(thread, picture::took_header(2));
        return true;
      }
      record->displaced.store(0, std::memory_order_relaxed);
      return false;
    }
    if ((word & layout::lock_mask) == layout::locked) {
      if (!W::owns_record(thread, reinterpret_cast<const LockRecord*>(layout::displaced_pointer(word)))) return false;
      record->displaced.store(stack_lock_recursion, std::memory_order_relaxed);
      return true;
    }
    return MonitorFastPath<W>::try_enter(thread, Monitor::of_header(word));
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord* record) {
    u64 kept = record->displaced.load(std::memory_order_relaxed);
    if (kept == stack_lock_recursion) {
      record->displaced.store(0, std::memory_order_relaxed);
      return true;
    }
    u64 KEYHOLE_HEAP* header = W::header(object);
    if (kept != 0) [[likely]] {
      u64 held = held_word(kept, record);
      // legacy.h R2. The header is stored by CAS, because another thread may be inflating the object (legacy.h R4).
      if (W::cas(header, held, kept, Order::release) != held) [[unlikely]]
        return false;
      if constexpr (W::notes_snippets) W::note_in_snippet(thread, picture::freed_header(2));
      record->displaced.store(0, std::memory_order_relaxed);
      return true;
    }
    return MonitorFastPath<W>::try_exit(thread, object, record);
  }
};

}  // namespace keyhole::sync
