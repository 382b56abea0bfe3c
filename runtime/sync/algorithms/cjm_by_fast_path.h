// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of cjm-by as a snippet: that of cjm_fast_path.h, and the bypass by newcomers while threads queue.
//
//   enter   if neither `held` nor `starving` is set, and the thread's last exit was no hand-over: CAS sets `held` in
//           the header; a free element goes to the held list
//   exit    if the thread took the lock by bypassing the queue, and `roused` is set but not `starving`: CAS clears
//           `held` in the header
//
// A function that returns false has changed nothing, and the caller takes the slow path. cjm_by.h defines the flags and
// the rules R1...
#pragma once

#include "runtime/sync/algorithms/cjm_fast_path.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// Flags in the header between the tag and the element; bit 2 belongs to the collector.
struct CjmByFlags {
  static constexpr u64 held = u64{1} << 3, roused = u64{1} << 4, starving = u64{1} << 5;
  static constexpr u64 all = held | roused | starving;

  static constexpr picture::HeaderState state(u64 word) {
    u8 lock = static_cast<u8>(word & layout::lock_mask);
    if (lock == picture::HeaderState::free) return picture::header_state(lock);
    return picture::header_state(lock, static_cast<u8>(((word & held) != 0 ? picture::flag::held : 0) |
                                                       ((word & roused) != 0 ? picture::flag::roused : 0) |
                                                       ((word & starving) != 0 ? picture::flag::starving : 0)));
  }
};
static_assert((CjmByFlags::all & layout::self_forwarded_bit) == 0 && CjmByFlags::all < lock_element_bytes);

template <typename W> struct CjmByFastPath {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Element = CjmElementOf<W>;
  using Elements = LockElementsOf<W, Element>;
  using Flags = CjmByFlags;
  using Alone = CjmFastPathOf<W, Flags::held>;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord* record) {
    if (Alone::try_enter(thread, object, record)) [[likely]]
      return true;
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 word = W::load(header, Order::relaxed);
    // cjm_by.h R5
    if ((word & layout::lock_mask) != layout::locked || (word & (Flags::held | Flags::starving)) != 0) return false;
    // cjm_by.h R5
    if (thread->free_elements == nullptr) [[unlikely]]
      return false;
    if (static_cast<Element*>(thread->free_elements)->had_quantum.get()) [[unlikely]]
      return false;
    Element* own = Elements::take_ready(thread, object);
    own->engage(Element::State::Held, 0, nullptr);
    own->levels.set(1);
    if (W::cas(header, word, word | Flags::held, Order::acq_rel) != word) {  // cjm_by.h R8
      Elements::put(thread, own);
      return false;
    }
    if constexpr (W::notes_snippets) W::note_in_snippet(thread, change(picture::Step::took, 5, word | Flags::held));
    W::count(thread, LockCounter::bypasses);
    Elements::push_held(thread, own);
    return true;
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord* record) {
    Element* own = static_cast<Element*>(thread->held_elements);
    if (own == nullptr || own->object.load(std::memory_order_relaxed) != object) [[unlikely]]
      return false;
    Element* home = own->home.load(std::memory_order_relaxed);
    if (home == own) [[likely]]
      return Alone::try_exit(thread, object, record);
    if (home != nullptr) return false;  // the element is in the queue (cjm_by.h R3)
    if (u32 levels = own->levels.get(); levels > 1) {
      own->levels.set(levels - 1);
      return true;
    }
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 word = W::load(header, Order::relaxed);
    if ((word & Flags::all) != (Flags::held | Flags::roused)) return false;
    if (W::cas(header, word, word & ~Flags::held, Order::release) != word) return false;  // cjm_by.h R4, R8
    if constexpr (W::notes_snippets) W::note_in_snippet(thread, change(picture::Step::let_go, 4, word & ~Flags::held));
    thread->held_elements = own->next_of_lender.get();
    Elements::put(thread, own);
    return true;
  }

 private:
  static constexpr picture::Change change(picture::Step step, u8 rule, u64 word) {
    return picture::change(step, picture::rule(rule), Flags::state(word));
  }
};

}  // namespace keyhole::sync
