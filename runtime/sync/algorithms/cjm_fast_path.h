// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of the Compact Java Monitors as a snippet. It serves an object that is free, or the object that the
// thread locked last.
//
//   enter   the newest element on the held list is the object's: add one level.
//           Otherwise, if the header is free and has a hash: store the header word in a free element, CAS the header
//           to that element, and put the element on the held list
//   exit    the newest element on the held list is the object's, with several levels: remove one level.
//           Otherwise, if no thread waits: CAS the header back to the word kept in the element, and free the element.
//           The CAS fails if a thread has queued
//
// A function that returns false has changed nothing, and the caller takes the slow path. Rules: cjm_element.h,
// cjm_base.h.
//
// held_flags: the flags that the variant sets in the header of a held object.
#pragma once

#include "runtime/sync/algorithms/cjm_element.h"

namespace keyhole::sync {

template <typename W, u64 held_flags> struct CjmFastPathOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Element = CjmElementOf<W>;
  using Elements = LockElementsOf<W, Element>;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord*) {
    if (Element* newest = newest_held(thread, object)) {
      newest->levels.set(newest->levels.get() + 1);
      return true;
    }
    u64 KEYHOLE_HEAP* header = W::header(object);
    W::expect_write(header);
    u64 word = W::load(header, Order::relaxed);
    // cjm_element.h E1
    if ((word & layout::lock_mask) != layout::unlocked || layout::hash_of(word) == 0) [[unlikely]]
      return false;
    Element* own = Elements::take_ready(thread, object);
    if (own == nullptr) [[unlikely]]
      return false;
    own->engage(Element::State::Held, word, nullptr);
    own->home.store(own, std::memory_order_relaxed);
    own->levels.set(1);
    if (W::cas(header, word, own->header_word(word, held_flags), Order::acq_rel) != word) [[unlikely]] {
      Elements::put(thread, own);
      return false;
    }
    if constexpr (W::notes_snippets)
      W::note_in_snippet(thread, picture::took_header(1, held_flags != 0 ? picture::flag::held : 0));
    Elements::push_held(thread, own);
    return true;
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord*) {
    Element* own = newest_held(thread, object);
    if (own == nullptr) [[unlikely]]
      return false;
    if (u32 levels = own->levels.get(); levels > 1) {
      own->levels.set(levels - 1);
      return true;
    }
    if (own->wait_set.get() != nullptr) [[unlikely]]
      return false;  // cjm_base.h B2
    u64 displaced = own->displaced.load(std::memory_order_relaxed);
    u64 word = own->header_word(displaced, held_flags);
    if (W::cas(W::header(object), word, displaced, Order::release) != word) [[unlikely]]
      return false;
    if constexpr (W::notes_snippets) W::note_in_snippet(thread, picture::freed_header(1));
    thread->held_elements = own->next_of_lender.get();
    Elements::put(thread, own);
    return true;
  }

 private:
  KEYHOLE_ALWAYS_INLINE static Element* newest_held(Thread* thread, Reference object) {
    Element* newest = static_cast<Element*>(thread->held_elements);
    return newest != nullptr && newest->object.load(std::memory_order_relaxed) == object ? newest : nullptr;
  }
};

template <typename W> using CjmFastPath = CjmFastPathOf<W, 0>;

}  // namespace keyhole::sync
