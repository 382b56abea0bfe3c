// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LockElement: the record that a thread lends to an object while the thread holds the object, queues for its lock or
// waits on it (Dice & Kogan's lock record).
//
//   pool (raw memory)  --take-->  lent: on the held list, or queued_element --put-->  lender's free stack --take--> ...
//         ^                                                                                      |
//         +-------- global free list (stays constructed), when the lender ends, and by R4 <------+
//
//   thread->held_elements  --> C --> B --> A      objects held, newest first; read for re-entry, for
//                                                 IllegalMonitorStateException and by the collector
//   thread->queued_element     the one element through which the thread is blocked or waits; it is not on the held list
//   thread->free_elements  --> x --> y            a cache of free elements, so that enters need no allocation
//
// R1: memory of elements is type-stable: a slot that was an Element of one algorithm's instance stays one until
//     drain(). So a stale pointer leads to an element, and reading its Atomic members is harmless; the algorithm checks
//     whether the element is still the expected one.
// R2: from take to put, one thread (`lender`) lends an element to one object; put returns it to the lender. If the
//     object still needs the element when its lender releases the lock, the lender gives it away: it belongs to the
//     object until another thread adopts it and puts it back.
// R3: only the thread itself uses these lists; other threads read them with the world stopped.
// R4: if one thread always gives its elements away, and another one always adopts them, the first needs ever new
//     elements. So the adopter moves half of most_adopted free elements to the global list, whenever it has adopted
//     that many more than it has given away.
//
// Space: the elements in use, and each thread's free elements. Until it ends, a thread keeps as many elements as it has
// ever needed at a time, and most_adopted others. The space does not depend on the number of objects or handovers.
#pragma once

#include "runtime/base/check.h"
#include "runtime/base/platform/world.h"

namespace keyhole::sync {

// The size of a slot: two aligned cache lines. Processors prefetch lines in pairs, and no pair should belong to two
// slots. Slots lie below 4 TiB, so that a header can point at them.
inline constexpr usize lock_element_bytes = 128;

// The common part of all algorithms' elements. W::LockElement is derived from this struct, and each algorithm's element
// from W::LockElement.
template <typename W> struct LockElementOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;

  typename W::template Atomic<Thread*> lender{nullptr};
  // The object that the element is lent to. Written by the lender, and by the collector with the world stopped.
  typename W::template Atomic<Reference> object{nullptr};
  // The number of levels that the lender has entered; 0 while the lender queues for its first level.
  typename W::template Plain<u32> levels;
  // The next element of the free stack or the held list.
  typename W::template Plain<typename W::LockElement*> next_of_lender;
};

// The elements of one instance of an algorithm. The argument `thread` of an operation is the calling thread, which is
// managed. Only drain() may be called by a thread that is not managed.
template <typename W, typename Element> class LockElementsOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Common = typename W::LockElement;
  static_assert(std::is_base_of_v<Common, Element> && sizeof(Element) <= lock_element_bytes &&
                alignof(Element) <= lock_element_bytes);

  // Takes an element for the object; null when memory is exhausted. `lender` and `object` are set, `levels` is 0; the
  // other members are as they were when the element was put back.
  Element* take(Thread* thread, Reference object) {
    if (Element* ready = take_ready(thread, object)) [[likely]]
      return ready;
    Common* fresh = another(thread);
    if (fresh == nullptr) return nullptr;
    fresh->object.store(object, std::memory_order_relaxed);
    count_lent(thread, 1);
    return static_cast<Element*>(fresh);
  }
  // take() for snippets: returns null when the thread's list of free elements is empty.
  KEYHOLE_ALWAYS_INLINE static Element* take_ready(Thread* thread, Reference object) {
    Common* first = thread->free_elements;
    if (first == nullptr) [[unlikely]]
      return nullptr;
    thread->free_elements = first->next_of_lender.get();
    first->object.store(object, std::memory_order_relaxed);
    count_lent(thread, 1);
    return static_cast<Element*>(first);
  }

  KEYHOLE_ALWAYS_INLINE static void put(Thread* thread, Element* element) {
    KEYHOLE_ASSERT(element->lender.load(std::memory_order_relaxed) == thread,
                   "an element goes back to thread {}, who did not lend it", thread->id);
    element->object.store(nullptr, std::memory_order_relaxed);
    element->levels.set(0);
    element->next_of_lender.set(thread->free_elements);
    thread->free_elements = element;
    count_lent(thread, -1);
  }

  // give_away() leaves an element to its object, without a lender; adopt() makes `thread` the lender of such an element
  // (R2). A thread calls give_away before other threads can adopt the element. A thread calls adopt only after a step
  // that prevents all other threads from adopting the element.
  void give_away(Thread* thread, Element* element) {
    if (thread->adopted_elements != 0) --thread->adopted_elements;
    element->object.store(nullptr, std::memory_order_relaxed);
    element->lender.store(nullptr, std::memory_order_relaxed);
    count_lent(thread, -1);
    given_away_.fetch_add(1, std::memory_order_relaxed);
  }
  void adopt(Thread* thread, Element* element) {
    KEYHOLE_ASSERT(element->lender.load(std::memory_order_relaxed) == nullptr,
                   "thread {} adopts an element that has a lender", thread->id);
    element->lender.store(thread, std::memory_order_relaxed);
    count_lent(thread, 1);
    given_away_.fetch_sub(1, std::memory_order_relaxed);
    if (++thread->adopted_elements >= W::most_adopted_elements) share_free_elements(thread);  // R4
  }
  u32 given_away() const { return given_away_.load(std::memory_order_relaxed); }

  // --- the held list -------------------------------------------------------------------------------------------------
  // The held list is searched newest first, so a thread that releases locks in reverse order finds each object at once.
  static Element* find_held(Thread* thread, Reference object) {
    for (Common* element = thread->held_elements; element != nullptr; element = element->next_of_lender.get()) {
      if (element->object.load(std::memory_order_relaxed) == object) return static_cast<Element*>(element);
    }
    return nullptr;
  }
  static void push_held(Thread* thread, Element* element) {
    element->next_of_lender.set(thread->held_elements);
    thread->held_elements = element;
  }
  static void remove_held(Thread* thread, Element* element) {
    Common* before = nullptr;
    Common* here = thread->held_elements;
    for (; here != element; before = here, here = here->next_of_lender.get()) {
      KEYHOLE_ASSERT(here != nullptr, "thread {} does not hold the element", thread->id);
    }
    if (before == nullptr) thread->held_elements = element->next_of_lender.get();
    else before->next_of_lender.set(element->next_of_lender.get());
  }

  // --- the end of a thread, and of all threads -----------------------------------------------------------------------
  // Called when a thread ends, which then holds no lock. The thread's free elements go to the global free list (R1).
  void thread_exits(Thread* thread) {
    KEYHOLE_ASSERT(thread->lent_elements.load(std::memory_order_relaxed) == 0 && thread->held_elements == nullptr,
                   "thread {} ends with {} elements lent", thread->id,
                   thread->lent_elements.load(std::memory_order_relaxed));
    if (thread->free_elements == nullptr) return;
    global_free_mutex_.lock();
    while (Common* element = thread->free_elements) {
      thread->free_elements = element->next_of_lender.get();
      element->next_of_lender.set(global_free_);
      global_free_ = element;
    }
    global_free_mutex_.unlock();
  }

  // Frees the memory of all elements. Called only after all threads have ended, when nothing points at an element any
  // more. The VM never calls this function.
  void drain() {
    while (Common* element = global_free_) {
      global_free_ = element->next_of_lender.get();
      static_cast<Element*>(element)->~Element();
      W::free_element(element);
    }
  }

  // The number of elements lent to objects now; exact with the world stopped or when no thread locks.
  static u32 lent() {
    u32 count = 0;
    W::for_each_thread([&](Thread* thread) { count += thread->lent_elements.load(std::memory_order_relaxed); });
    return count;
  }

  // World stopped: calls visit(thread, element) for every element that is lent.
  template <typename Visit> static void for_each_lent(Visit visit) {
    W::for_each_thread([&](Thread* thread) { for_each_lent_by(thread, visit); });
  }
  // Does the same as for_each_lent, but only for elements of the threads that the collection in progress visits.
  template <typename Visit> static void for_each_lent_in_collection(Visit visit) {
    W::for_each_thread_in_collection([&](Thread* thread) { for_each_lent_by(thread, visit); });
  }

 private:
  template <typename Visit> static void for_each_lent_by(Thread* thread, Visit& visit) {
    for (Common* element = thread->held_elements; element != nullptr; element = element->next_of_lender.get())
      visit(thread, static_cast<Element*>(element));
    if (Common* element = thread->queued_element.load(std::memory_order_acquire))
      visit(thread, static_cast<Element*>(element));
  }
  KEYHOLE_ALWAYS_INLINE static void count_lent(Thread* thread, i32 change) {
    thread->lent_elements.store(thread->lent_elements.load(std::memory_order_relaxed) + static_cast<u32>(change),
                                std::memory_order_relaxed);
  }

  [[gnu::noinline]] void share_free_elements(Thread* thread) {
    constexpr u32 count = (W::most_adopted_elements + 1) / 2;
    thread->adopted_elements -= count;
    global_free_mutex_.lock();
    for (u32 i = 0; i < count && thread->free_elements != nullptr; ++i) {
      Common* element = thread->free_elements;
      thread->free_elements = element->next_of_lender.get();
      element->next_of_lender.set(global_free_);
      global_free_ = element;
    }
    global_free_mutex_.unlock();
  }

  [[gnu::noinline]] Common* another(Thread* thread) {
    global_free_mutex_.lock();
    Common* element = global_free_;
    if (element != nullptr) global_free_ = element->next_of_lender.get();
    global_free_mutex_.unlock();
    if (element == nullptr) {
      void* slot = W::allocate_element();
      if (slot == nullptr) return nullptr;
      element = new (slot) Element;
    }
    element->lender.store(thread, std::memory_order_relaxed);
    return element;
  }

  typename W::template Atomic<u32> given_away_{0};  // number of elements given away to objects (R2)
  typename W::Mutex global_free_mutex_;             // a leaf
  Common* global_free_ = nullptr;                   // of ended threads, and by R4; under global_free_mutex_
};

}  // namespace keyhole::sync
