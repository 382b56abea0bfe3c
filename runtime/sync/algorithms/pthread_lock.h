// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A mutex of the C library for each object that is locked: the degenerate baseline of Dice & Kogan. pthread_mutex_lock
// does all the work; the object's header is never touched.
//
//   hash(address)     bucket mutex
//   [ bucket ] ------> entry: object, mutex, owner, levels, users, wait set ---> entry ---> ...
//   [ bucket ]
//
//   entry      users   mutex
//   idle       0       free     kept for the next enter, if few are idle; the collector frees all of them
//   held       >= 1    taken    owner is its holder, levels counts the holder's enters beyond the first
//   contended  > 1     taken    a thread sleeps in mutex.lock() or in the wait set
//
// R1: a thread is counted in `users` from before it locks the mutex until it has unlocked it. The count grows only
//     under the bucket's mutex. So a thread that holds the bucket's mutex and finds 0 users may free the entry: no
//     other thread has a pointer to it.
// R2: the mutex guards owner, levels and wait set. Other threads read `owner` only to compare it with themselves.
// R3: the record of each level keeps its entry, so an exit searches nothing.
// R4: addresses change: a collection moves the entries to the buckets of their objects' new addresses, world stopped.
// R5: notify changes a waiter's state by CAS waiting -> notified and wakes the waiter at once. The woken thread then
//     blocks on the mutex, which the notifier still holds. A waiter that wakes by itself CASes waiting -> leaving, and
//     takes itself out of the wait set once it has the mutex again.
#pragma once

#include "runtime/base/check.h"
#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/sleep_in_wait.h"

namespace keyhole::sync {

template <typename W> class PthreadLockOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using FastPath = NoFastPath<W>;
  template <typename T> using Atomic = typename W::template Atomic<T>;
  template <typename T> using Plain = typename W::template Plain<T>;

  static constexpr u32 bucket_count = 4096;
  static constexpr u32 idle_entries_kept = 4096;

  Status enter(Thread* thread, Root root, LockRecord* record) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    Entry* entry = entry_of(thread, W::at(root));
    record->displaced.store(reinterpret_cast<u64>(entry), std::memory_order_relaxed);  // R3
    if (entry->owner.load(std::memory_order_relaxed) == thread->id) {
      entry->levels.set(entry->levels.get() + 1);
      return Status::Done;
    }
    if (!entry->mutex.try_lock()) {
      W::count(thread, LockCounter::contended_enters);
      W::count(thread, LockCounter::parks);
      Waiter node(thread, W::at(root), State::Entering);
      thread->queued_element.store(&node, std::memory_order_release);
      {
        typename W::StatusScope status(thread, W::blocked_status);
        typename W::BlockedScope blocked(thread);
        entry->mutex.lock();
      }
      thread->queued_element.store(nullptr, std::memory_order_relaxed);
    }
    entry->owner.store(thread->id, std::memory_order_relaxed);
    return Status::Done;
  }

  Status exit(Thread* thread, Reference object, LockRecord* record) {
    W::count(thread, LockCounter::slow_exits);
    Entry* entry = reinterpret_cast<Entry*>(record->displaced.load(std::memory_order_relaxed));
    if (entry == nullptr) return Status::NotOwner;
    record->displaced.store(0, std::memory_order_relaxed);
    if (u32 levels = entry->levels.get(); levels != 0) {
      entry->levels.set(levels - 1);
      return Status::Done;
    }
    entry->owner.store(0, std::memory_order_relaxed);
    entry->mutex.unlock();
    // release: a thread that frees the entry must see all that this thread has done with it.
    if (entry->users.fetch_sub(1, std::memory_order_acq_rel) == 1 &&
        count_.load(std::memory_order_relaxed) > idle_entries_kept)
      free_if_idle(thread, object);
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Entry* entry = owned_entry(thread, W::at(root));
    if (entry == nullptr) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Waiter node(thread, W::at(root), State::Waiting);
    append(entry, &node);
    u32 levels = entry->levels.get();
    entry->levels.set(0);
    entry->owner.store(0, std::memory_order_relaxed);
    thread->queued_element.store(&node, std::memory_order_release);
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      entry->mutex.unlock();
      {
        typename W::BlockedScope blocked(thread);
        sleep_in_wait<W>(thread, nanoseconds,
                         [&] { return node.state.load(std::memory_order_acquire) == State::Waiting; });
        State waiting = State::Waiting;
        notified = !node.state.compare_exchange_strong(waiting, State::Leaving, std::memory_order_acq_rel);  // R5
        if (notified) entry->mutex.lock();
      }
      if (!notified) {
        // The thread was not notified, so its Java status still says WAITING. The status can change only now, because
        // the thread is managed again.
        W::set_status(thread, W::blocked_status);
        typename W::BlockedScope blocked(thread);
        entry->mutex.lock();
      }
    }
    thread->queued_element.store(nullptr, std::memory_order_relaxed);
    entry->owner.store(thread->id, std::memory_order_relaxed);
    entry->levels.set(levels);
    if (!notified) remove(entry, &node);
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    Entry* entry = owned_entry(thread, object);
    if (entry == nullptr) return Status::NotOwner;
    while (Waiter* node = entry->first_waiting.get()) {
      remove(entry, node);
      Thread* waiter = node->waiting_thread;
      State waiting = State::Waiting;
      if (!node->state.compare_exchange_strong(waiting, State::Notified, std::memory_order_acq_rel)) continue;  // R5
      W::set_status(waiter, W::blocked_status);
      W::count(thread, LockCounter::unparks);
      W::unpark(waiter);
      if (!all) break;
    }
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_in_place<W>(thread, object); }

  bool holds(Thread* thread, Reference object) { return owned_entry(thread, object) != nullptr; }

  Thread* owner(Reference object) {
    u64 id;
    {
      Locked bucket(bucket_of(object));
      Entry* entry = find(bucket.get(), object);
      id = entry == nullptr ? 0 : entry->owner.load(std::memory_order_relaxed);
    }
    Thread* found = nullptr;
    if (id != 0)
      W::for_each_thread([&](Thread* thread) {
        if (thread->id == id) found = thread;
      });
    return found;
  }

  // R1, R4.
  template <typename Forward> void update_references(Forward forward) {
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
      if (entry->users.load(std::memory_order_acquire) == 0) {
        count_.fetch_sub(1, std::memory_order_relaxed);
        W::retire(entry);
        continue;
      }
      Reference object = forward(entry->object.load(std::memory_order_relaxed));
      entry->object.store(object, std::memory_order_relaxed);
      Bucket& bucket = bucket_of(object);
      entry->next.set(bucket.first.get());
      bucket.first.set(entry);
    }
    W::for_each_thread_in_collection([&](Thread* thread) {
      if (auto* element = thread->queued_element.load(std::memory_order_acquire)) {
        element->object.store(forward(element->object.load(std::memory_order_relaxed)), std::memory_order_relaxed);
      }
    });
  }
  // The header is never displaced.
  u64 displaced_header(Reference object) const { return W::load(W::header(object), Order::relaxed); }
  u32 in_use() const { return count_.load(std::memory_order_relaxed); }

  // Called for thread dumps, with the world stopped.
  static Reference blocked_on(const Thread* thread) { return queued_in(thread, false); }
  static Reference waiting_on(const Thread* thread) { return queued_in(thread, true); }

 private:
  enum class State : u32 { Entering, Waiting, Notified, Leaving };

  // The node of a blocked or waiting thread, on its native stack; dumps and the collector find it through
  // queued_element.
  struct Waiter : W::LockElement {
    Waiter(Thread* thread, Reference object, State state_now) : waiting_thread(thread), state(state_now) {
      this->lender.store(thread, std::memory_order_relaxed);
      this->object.store(object, std::memory_order_relaxed);
    }
    Thread* const waiting_thread;
    Atomic<State> state;            // R5
    Plain<Waiter*> next, previous;  // R2: the wait set, in order of arrival
  };

  struct Entry {
    explicit Entry(Reference locked) : object(locked) {}
    typename W::Mutex mutex;
    Atomic<Reference> object;
    Atomic<u64> owner{0};  // R2
    Atomic<u32> users{0};  // R1
    Plain<u32> levels;
    Plain<Waiter*> first_waiting, last_waiting;
    Plain<Entry*> next;  // under the bucket's mutex
  };

  struct alignas(64) Bucket {
    typename W::Mutex mutex;  // a thread holds the mutex for a few steps only, never across a safepoint
    Plain<Entry*> first;
  };

  class Locked {
   public:
    explicit Locked(Bucket& bucket) : bucket_(bucket) { bucket_.mutex.lock(); }
    ~Locked() { bucket_.mutex.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    Bucket& get() { return bucket_; }

   private:
    Bucket& bucket_;
  };

  Bucket& bucket_of(Reference object) {
    return buckets_[(reinterpret_cast<uptr>(object) >> 3) * 0x9E3779B97F4A7C15 >> 52];
  }
  static_assert(bucket_count == 1u << (64 - 52));

  static Entry* find(Bucket& bucket, Reference object) {
    for (Entry* entry = bucket.first.get(); entry != nullptr; entry = entry->next.get()) {
      if (entry->object.load(std::memory_order_relaxed) == object) return entry;
    }
    return nullptr;
  }

  // Counts this thread among the entry's users (R1), unless this thread owns the entry already.
  Entry* entry_of(Thread* thread, Reference object) {
    Locked bucket(bucket_of(object));
    W::count(thread, LockCounter::bucket_locks);
    Entry* entry = find(bucket.get(), object);
    if (entry == nullptr) {
      entry = W::template allocate<Entry>(object);
      entry->next.set(bucket.get().first.get());
      bucket.get().first.set(entry);
      count_.fetch_add(1, std::memory_order_relaxed);
    }
    if (entry->owner.load(std::memory_order_relaxed) != thread->id)
      entry->users.fetch_add(1, std::memory_order_relaxed);
    return entry;
  }
  Entry* owned_entry(const Thread* thread, Reference object) {
    Locked bucket(bucket_of(object));
    Entry* entry = find(bucket.get(), object);
    return entry != nullptr && entry->owner.load(std::memory_order_relaxed) == thread->id ? entry : nullptr;
  }

  void free_if_idle(Thread* thread, Reference object) {
    Locked bucket(bucket_of(object));
    W::count(thread, LockCounter::bucket_locks);
    Entry* before = nullptr;
    for (Entry* entry = bucket.get().first.get(); entry != nullptr; before = entry, entry = entry->next.get()) {
      if (entry->object.load(std::memory_order_relaxed) != object) continue;
      if (entry->users.load(std::memory_order_acquire) != 0) return;  // R1
      if (before == nullptr) bucket.get().first.set(entry->next.get());
      else before->next.set(entry->next.get());
      count_.fetch_sub(1, std::memory_order_relaxed);
      W::retire(entry);
      return;
    }
  }

  // --- the wait set, owner only --------------------------------------------------------------------------------------
  static void append(Entry* entry, Waiter* node) {
    Waiter* last = entry->last_waiting.get();
    node->previous.set(last);
    node->next.set(nullptr);
    if (last == nullptr) entry->first_waiting.set(node);
    else last->next.set(node);
    entry->last_waiting.set(node);
  }
  // Removes the node if the node is still in the set: a notifier may already have removed the node of a waiter that was
  // leaving.
  static void remove(Entry* entry, Waiter* node) {
    Waiter* previous = node->previous.get();
    Waiter* next = node->next.get();
    if (previous == nullptr && entry->first_waiting.get() != node) return;
    if (previous == nullptr) entry->first_waiting.set(next);
    else previous->next.set(next);
    if (next == nullptr) entry->last_waiting.set(previous);
    else next->previous.set(previous);
    node->previous.set(nullptr);
    node->next.set(nullptr);
  }

  static Reference queued_in(const Thread* thread, bool waits) {
    const auto* element = thread->queued_element.load(std::memory_order_acquire);
    if (element == nullptr) return nullptr;
    bool is_waiting = static_cast<const Waiter*>(element)->state.load(std::memory_order_relaxed) == State::Waiting;
    return is_waiting == waits ? element->object.load(std::memory_order_relaxed) : nullptr;
  }

  Bucket buckets_[bucket_count];
  Atomic<u32> count_{0};
};

}  // namespace keyhole::sync
