// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// No locking at all: enter and exit do nothing, so that the difference from any other algorithm is the cost of its
// locking. For one application thread; Thread.start refuses a second one.
//
// The remaining operations of `synchronized`
//
//   owner         a thread holds the objects of its frames' lock records; structured locking writes them anyway
//   wait          sleeps until notified, interrupted or timed out, in one list of the whole VM; there is no lock to
//                 release or re-acquire
//   notify        ends the wait of the thread that has waited longest on this object
//
// R1: IllegalMonitorStateException is thrown as under any algorithm.
// R2: the list's mutex guards the list and the links of its nodes. A node stays in the list until a notifier removes
//     it; if the sleep ends without a notification, the node's own thread removes it. Only managed threads compare
//     objects, through the waiter's root.
// R3: the VM's own Java threads (references, finalizers, cleaners) run, too, and do not lock either. So a notification
//     is lost if it comes after such a thread has checked its queue and before the thread waits; the thread checks
//     again at the next notification.
#pragma once

#include "runtime/sync/identity_hash.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/sleep_in_wait.h"

namespace keyhole::sync {

template <typename W> struct NoLockFastPath {
  KEYHOLE_ALWAYS_INLINE static bool try_enter(typename W::Thread*, typename W::Reference, typename W::LockRecord*) {
    return true;
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(typename W::Thread*, typename W::Reference, typename W::LockRecord*) {
    return true;
  }
};

template <typename W> class NoLockOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using FastPath = NoLockFastPath<W>;

  Status enter(Thread* thread, Root, LockRecord*) {
    W::count(thread, LockCounter::slow_enters);
    return Status::Done;
  }
  Status exit(Thread* thread, Reference object, LockRecord*) {
    W::count(thread, LockCounter::slow_exits);
    return holds(thread, object) ? Status::Done : Status::NotOwner;  // R1
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    if (!holds(thread, W::at(root))) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Waiter node(thread, root);
    mutex_.lock();
    append(&node);
    mutex_.unlock();
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      typename W::BlockedScope blocked(thread);
      sleep_in_wait<W>(thread, nanoseconds, [&] { return !node.notified.load(std::memory_order_acquire); });
    }
    mutex_.lock();
    bool notified = node.notified.load(std::memory_order_relaxed);
    if (!notified) remove(&node);
    mutex_.unlock();
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) TOUCHES_OBJECTS {
    if (!holds(thread, object)) return Status::NotOwner;
    mutex_.lock();
    for (Waiter* node = first_.get(); node != nullptr;) {
      Waiter* next = node->next.get();
      if (W::at(node->root) == object) {  // R2
        Thread* waiter = node->thread;
        remove(node);
        // The node stays valid until the mutex is unlocked, because the waiter locks the mutex before wait() returns.
        node->notified.store(true, std::memory_order_release);
        W::unpark(waiter);
        if (!all) break;
      }
      node = next;
    }
    mutex_.unlock();
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_in_place<W>(thread, object); }

  bool holds(const Thread* thread, Reference object) const {
    return W::any_record(thread, [object](const LockRecord* record) { return record->object == object; });
  }

  Thread* owner(Reference object) const {
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (holds(thread, object)) found = thread;
    });
    return found;
  }

  // Nothing to update: the list of waiters has no addresses of objects.
  template <typename Forward> void update_references(Forward) {}
  // The header is never displaced.
  u64 displaced_header(Reference object) const { return W::load(W::header(object), Order::relaxed); }
  u32 in_use() const { return 0; }

  // Called for thread dumps, with the world stopped.
  Reference waiting_on(const Thread* thread) const TOUCHES_OBJECTS {
    for (Waiter* node = first_.get(); node != nullptr; node = node->next.get()) {
      if (node->thread == thread) return W::at(node->root);
    }
    return nullptr;
  }

 private:
  // The node of a waiting thread, on its native stack.
  struct Waiter {
    Waiter(Thread* waiting_thread, Root waited_for) : thread(waiting_thread), root(waited_for) {}
    Thread* const thread;
    const Root root;
    typename W::template Atomic<bool> notified{false};
    typename W::template Plain<Waiter*> next, previous;  // R2
  };

  void append(Waiter* node) {
    Waiter* last = last_.get();
    node->previous.set(last);
    if (last == nullptr) first_.set(node);
    else last->next.set(node);
    last_.set(node);
  }
  void remove(Waiter* node) {
    Waiter* previous = node->previous.get();
    Waiter* next = node->next.get();
    if (previous == nullptr) first_.set(next);
    else previous->next.set(next);
    if (next == nullptr) last_.set(previous);
    else next->previous.set(previous);
  }

  typename W::Mutex mutex_;
  typename W::template Plain<Waiter*> first_, last_;
};

}  // namespace keyhole::sync
