// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of HashChains+3 as a snippet: Locked is a bit of the header, and the frame's lock record says that this
// thread holds the object.
//
//   enter   the low bits are 01 and Locked is clear: set Locked by CAS, mark the record `outer`.
//           Otherwise, if the thread's previous lock record is marked and of the same object: mark the record `nested`
//   exit    the record is `nested`: clear the mark.
//           The record is `outer` and WaitersExist is clear: clear Locked by CAS. If another bit has changed,
//           the CAS fails, and the slow path tries again
//
// runtime/sync/algorithms/hashchains_plus3.h has the whole algorithm and its rules.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/java_world.h"

namespace keyhole::sync {

template <typename W> struct HashChainsPlus3FastPath {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;

  // Values of a lock record's `displaced` (hashchains_plus3.h R1).
  static constexpr u64 not_held = 0, outer = 1, nested = 2;

  static constexpr picture::HeaderState state(layout::Word word) {
    return picture::header_state(
        picture::HeaderState::free,
        static_cast<u8>(((word & layout::held_bit) != 0 ? picture::flag::held : 0) |
                        ((word & layout::waiters_bit) != 0 ? picture::flag::waiters_exist : 0)));
  }

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord* record) {
    layout::Word KEYHOLE_HEAP* header = W::header(object);
    layout::Word word = W::load(header, Order::relaxed);
    if ((word & (layout::lock_mask | layout::held_bit)) == layout::unlocked) [[likely]] {
      // acquire: pairs with the release in exit (hashchains_plus3.h R3).
      if (W::cas(header, word, word | layout::held_bit, Order::acquire) != word) [[unlikely]]
        return false;
      if constexpr (W::notes_snippets) W::note_in_snippet(thread, change(picture::Step::took, word | layout::held_bit));
      record->displaced.store(outer, std::memory_order_relaxed);
      return true;
    }
    LockRecord* below = W::previous_record(thread, record);
    if (below == nullptr || below->object != object || below->displaced.load(std::memory_order_relaxed) == not_held)
      return false;
    record->displaced.store(nested, std::memory_order_relaxed);
    return true;
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord* record) {
    u64 mark = record->displaced.load(std::memory_order_relaxed);
    if (mark != nested) [[likely]] {
      if (mark != outer) [[unlikely]]
        return false;
      layout::Word KEYHOLE_HEAP* header = W::header(object);
      layout::Word word = W::load(header, Order::relaxed);
      // The exit clears held_bit by CAS, because another thread may change the header at this moment: the other thread
      // queues (hashchains_plus3.h R2) or installs a hash.
      if ((word & layout::waiters_bit) != 0) [[unlikely]]
        return false;
      // hashchains_plus3.h R3
      if (W::cas(header, word, word & ~layout::held_bit, Order::release) != word) [[unlikely]]
        return false;
      if constexpr (W::notes_snippets)
        W::note_in_snippet(thread, change(picture::Step::let_go, word & ~layout::held_bit));
    }
    record->displaced.store(not_held, std::memory_order_relaxed);
    return true;
  }

 private:
  static constexpr picture::Change change(picture::Step step, layout::Word word) {
    return picture::change(step, picture::rule(3), state(word));
  }
};

}  // namespace keyhole::sync
