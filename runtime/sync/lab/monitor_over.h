// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MonitorOver: a Java monitor over a core (core.h): what `synchronized` needs beyond mutual exclusion.
//
//   hash(address)     bucket mutex
//   [ bucket ] ------> entry: the core, object, wait set ---> entry ---> ...
//
//   thread's held list --> element: levels, entry, the core's Held | the core's Node     newest first
//                                    first cache line                second line
//
// R1: an object gets an entry at its first enter. A collection, or free_idle_entries(), frees an entry if the core is
//     free and no thread waits. Both run with the world stopped, and a thread reaches no safepoint from its look-up of
//     an entry to the end of the core's arrive(). So while they run, the core knows each thread that uses the entry,
//     and is not free.
// R2: `waits` counts the threads in Object.wait, from before they depart until they hold the lock again. Only the owner
//     changes the count. It keeps the entry alive while a notified thread has not called the core's arrive() yet.
// R3: recursion, holdsLock and IllegalMonitorStateException come from the thread's held list. The core sees only the
//     first level.
// R4: a wait ends by a CAS of the waiter's state from Waiting. Either notify does this CAS, or the waiter itself when
//     it times out or is interrupted, so only one of them ends the wait. A waiter that ended its own wait leaves the
//     wait set once it holds the lock again.
// R5: a thread finds the entries that it used last in its monitor_cache. In this library the cache contains entries,
//     not monitors. Collections empty the cache, because objects move then and entries are freed.
// R6: the library never changes the lock bits of headers, so locks run under all header layouts.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/lab/core.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/ring.h"
#include "runtime/sync/sleep_in_wait.h"

namespace keyhole::lab {

using sync::Status;

// SharedMemory: owns the shared memory of a core that has a struct Shared. For all other cores SharedMemory is empty.
template <typename Core> struct SharedMemory {};
template <typename Core>
  requires requires { typename Core::Shared; }
struct SharedMemory<Core> {
  SharedMemory() { SharedBy<Core>::memory = &memory; }
  typename Core::Shared memory;
};

template <typename W, typename Core> class MonitorOver {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using FastPath = sync::NoFastPath<W>;
  template <typename T> using Atomic = typename W::template Atomic<T>;
  template <typename T> using Plain = typename W::template Plain<T>;

  static constexpr u32 bucket_count = 4096;

  Status enter(Thread* thread, Root root, LockRecord*) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    Reference object = W::at(root);
    if (Element* own = elements_.find_held(thread, object)) {
      own->levels.set(own->levels.get() + 1);
      return Status::Done;
    }
    Element* mine = elements_.take(thread, object);
    if (mine == nullptr) return Status::OutOfMemory;
    mine->entry = entry_of(thread, object);
    if (!mine->entry->core.arrive(thread, mine->node, mine->held)) {
      W::count(thread, LockCounter::contended_enters);
      mine->state.store(State::Entering, std::memory_order_relaxed);
      thread->queued_element.store(mine, std::memory_order_release);
      {
        typename W::StatusScope status(thread, W::blocked_status);
        typename W::BlockedScope blocked(thread);
        mine->entry->core.await(thread, mine->node, mine->held);
      }
      thread->queued_element.store(nullptr, std::memory_order_relaxed);
    }
    now_held(thread, mine, 1);
    return Status::Done;
  }

  Status exit(Thread* thread, Reference object, LockRecord*) {
    W::count(thread, LockCounter::slow_exits);
    Element* own = elements_.find_held(thread, object);
    if (own == nullptr) return Status::NotOwner;
    if (u32 levels = own->levels.get(); levels > 1) {
      own->levels.set(levels - 1);
      return Status::Done;
    }
    elements_.remove_held(thread, own);
    own->entry->core.depart(thread, own->node, own->held);
    elements_.put(thread, own);
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Element* own = elements_.find_held(thread, W::at(root));
    if (own == nullptr) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Entry* entry = own->entry;
    u32 levels = own->levels.get();
    own->state.store(State::Waiting, std::memory_order_relaxed);
    WaitSet::append(entry->waiting, own);
    entry->waits.set(entry->waits.get() + 1);  // R2
    elements_.remove_held(thread, own);
    thread->queued_element.store(own, std::memory_order_release);
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      entry->core.depart(thread, own->node, own->held);
      {
        typename W::BlockedScope blocked(thread);
        sync::sleep_in_wait<W>(thread, nanoseconds,
                               [&] { return own->state.load(std::memory_order_acquire) == State::Waiting; });
      }
      State waiting = State::Waiting;
      notified = !own->state.compare_exchange_strong(waiting, State::Leaving, std::memory_order_acq_rel);  // R4
      W::set_status(thread, W::blocked_status);
      if (!entry->core.arrive(thread, own->node, own->held)) {
        typename W::BlockedScope blocked(thread);
        entry->core.await(thread, own->node, own->held);
      }
    }
    thread->queued_element.store(nullptr, std::memory_order_relaxed);
    entry->waits.set(entry->waits.get() - 1);
    // A notifier whose CAS came too late (R4) may already have taken `own` out of the wait set.
    if (!notified && own->next.get() != nullptr) WaitSet::remove(entry->waiting, own);
    now_held(thread, own, levels);
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    Element* own = elements_.find_held(thread, object);
    if (own == nullptr) return Status::NotOwner;
    Entry* entry = own->entry;
    while (Element* node = entry->waiting.get()) {
      WaitSet::remove(entry->waiting, node);
      Thread* waiter = node->lender.load(std::memory_order_relaxed);
      State waiting = State::Waiting;
      if (!node->state.compare_exchange_strong(waiting, State::Entering, std::memory_order_acq_rel)) continue;  // R4
      W::set_status(waiter, W::blocked_status);
      W::count(thread, LockCounter::unparks);
      W::unpark(waiter);
      if (!all) break;
    }
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) { return sync::identity_hash_in_place<W>(thread, object); }
  bool holds(const Thread* thread, Reference object) {
    return elements_.find_held(const_cast<Thread*>(thread), object) != nullptr;  // R3
  }
  Thread* owner(Reference object) {
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (holds(thread, object)) found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) {
    W::for_each_thread_in_collection(forget_entries);
    rebuild([&](Entry* entry) { entry->object = forward(entry->object); });
    elements_.for_each_lent_in_collection([&](Thread*, Element* element) {
      element->object.store(forward(element->object.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    });
  }
  // World stopped: frees the idle entries, without a collection.
  void free_idle_entries() {
    W::for_each_thread(forget_entries);
    rebuild([](Entry*) {});
  }
  u64 displaced_header(Reference object) const { return W::load(W::header(object), Order::relaxed); }
  u32 in_use() const { return count_.load(std::memory_order_relaxed); }

  void thread_exits(Thread* thread) { elements_.thread_exits(thread); }
  void drain() { elements_.drain(); }
  static Reference blocked_on(const Thread* thread) { return queued_in(thread, false); }
  static Reference waiting_on(const Thread* thread) { return queued_in(thread, true); }

 private:
  enum class State : u32 { Entering, Waiting, Leaving };
  struct Entry;

  struct Element : W::LockElement {
    typename Core::Held held{};
    Entry* entry = nullptr;
    Atomic<State> state{State::Entering};
    // The node has a cache line of its own, because other threads store to it, for example to open a gate. The
    // library's fields are on another line.
    alignas(64) typename Core::Node node;
    Plain<Element*> next, previous;  // links of the wait set
  };
  static_assert(sizeof(Element) <= sync::lock_element_bytes);
  using WaitSet = sync::Ring<&Element::next, &Element::previous>;

  struct alignas(128) Entry {
    explicit Entry(Reference locked) : object(locked) {}
    Core core;
    Plain<Element*> waiting;  // the wait set, in order of arrival; only the owner changes it
    Plain<u32> waits;         // R2
    Reference object;         // the locked object; accessed under the bucket's mutex, or with the world stopped
    Plain<Entry*> next;
  };

  struct alignas(64) Bucket {
    typename W::Mutex mutex;  // a thread holds the mutex for a few steps only, never across a safepoint
    Plain<Entry*> first;
  };

  static void now_held(Thread* thread, Element* own, u32 levels) {
    own->levels.set(levels);
    Elements::push_held(thread, own);
  }

  // --- entries -------------------------------------------------------------------------------------------------------
  Bucket& bucket_of(Reference object) {
    return buckets_[(reinterpret_cast<uptr>(object) >> 3) * 0x9E3779B97F4A7C15 >> 52];
  }
  static_assert(bucket_count == 1u << (64 - 52));

  Entry* entry_of(Thread* thread, Reference object) {
    auto& cached = thread->monitor_cache[(reinterpret_cast<uptr>(object) >> 4) % Thread::monitor_cache_capacity];
    if (cached.object == object) return reinterpret_cast<Entry*>(cached.monitor);  // R5
    Entry* entry = find_or_make(thread, bucket_of(object), object);
    cached = {object, reinterpret_cast<typename W::Monitor*>(entry)};
    return entry;
  }
  Entry* find_or_make(Thread* thread, Bucket& bucket, Reference object) {
    bucket.mutex.lock();
    W::count(thread, LockCounter::bucket_locks);
    Entry* entry = bucket.first.get();
    while (entry != nullptr && entry->object != object) entry = entry->next.get();
    if (entry == nullptr) {
      entry = W::template allocate<Entry>(object);
      entry->next.set(bucket.first.get());
      bucket.first.set(entry);
      count_.fetch_add(1, std::memory_order_relaxed);
    }
    bucket.mutex.unlock();
    return entry;
  }
  static void forget_entries(Thread* thread) {
    for (auto& cached : thread->monitor_cache) cached = {};
  }
  // World stopped: frees the idle entries. Calls renew(entry) for each other entry, then moves that entry to the bucket
  // of its object.
  template <typename Renew> void rebuild(Renew renew) {
    Entry* all = nullptr;
    for (Bucket& bucket : buckets_) {
      while (Entry* entry = bucket.first.get()) {
        bucket.first.set(entry->next.get());
        entry->next.set(all);
        all = entry;
      }
    }
    while (Entry* entry = all) {
      all = entry->next.get();
      if (entry->core.is_free() && entry->waits.get() == 0) {  // R1, R2
        count_.fetch_sub(1, std::memory_order_relaxed);
        W::retire(entry);
        continue;
      }
      renew(entry);
      Bucket& bucket = bucket_of(entry->object);
      entry->next.set(bucket.first.get());
      bucket.first.set(entry);
    }
  }

  static Reference queued_in(const Thread* thread, bool waits) {
    const auto* element = thread->queued_element.load(std::memory_order_acquire);
    if (element == nullptr) return nullptr;
    bool is_waiting = static_cast<const Element*>(element)->state.load(std::memory_order_relaxed) == State::Waiting;
    return is_waiting == waits ? element->object.load(std::memory_order_relaxed) : nullptr;
  }

  using Elements = sync::LockElementsOf<W, Element>;
  [[no_unique_address]] SharedMemory<Core> shared_;
  Elements elements_;
  Bucket buckets_[bucket_count];
  Atomic<u32> count_{0};
};

}  // namespace keyhole::lab
