// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BucketLock: the inner lock that protects a bucket's chain. Threads hold it for a few dozen instructions.
// -XX:HashChainsInnerLock= chooses its kind.
//
//   hemlock   (Dice & Kogan) the lock is one word, `tail`: the thread that queued last; each thread has one grant cell
//             for all locks
//
//               tail -> T3      T3 waits on T2's cell, T2 waits on T1's cell, T1 holds the lock
//               T1 unlocks:  T1.grant = granted;  T2 sees it, stores `none` (the receipt), and holds the lock
//
//             grant cell       meaning                                    written by
//             none             no grant is pending                        the successor, as its receipt
//             waited_for       the successor sleeps on the cell           the successor
//             granted          the successor owns the lock                the unlocking owner
//             receipt_awaited  granted; the cell's thread sleeps until    the cell's thread, before it queues again
//                              the successor's receipt
//   mcs       (Mellor-Crummey & Scott) the lock is one word, the node queued last; nodes lie on the waiters' stacks
//   mutex     the platform's mutex: all waiting threads sleep on one futex
//
// R1: only managed threads hold bucket locks, and never across a safepoint. So with the world stopped every bucket lock
//     is free, and the collector takes none. A thread that waits for a bucket lock stays managed, because the threads
//     before it keep running. A virtual thread that waits stays mounted: to mount it again the scheduler might need
//     this very lock.
// R2: a thread holds one bucket lock at a time. So its grant cell need not say which lock is granted, and fits into a
//     futex word.
// R3: a thread queues for a lock only while its own cell is `none`. Otherwise its successor at this lock could take the
//     grant meant for its successor at the previous lock. A thread waits for a receipt only when it queues again,
//     because by then the receipt has nearly always arrived.
// R4: a waiter spins for a few reads, then sleeps. At most one thread spins or sleeps on a cell (hemlock, mcs).
// R5: the unlocking owner's release (CAS of the tail, exchange of the cell) pairs with the next owner's acquire.
#pragma once

#include "runtime/base/check.h"
#include "runtime/base/platform/world.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

enum class BucketLockKind : u8 { Hemlock, Mcs, Mutex };

struct BucketLockPolicy {
  BucketLockPolicy(BucketLockKind chosen) : kind(chosen) {}
  BucketLockKind kind;
  // The number of reads of a cell before the thread sleeps: enough for a few predecessors to finish. A sleeping thread
  // delays all threads queued after it until it has woken up.
  u32 spin_reads = 200;
};

template <typename W> class BucketLockOf {
 public:
  using Thread = typename W::Thread;

  // A queue node on the native stack of the thread that locks.
  struct Node {
    Thread* thread = nullptr;
    typename W::template Atomic<Node*> next{nullptr};
    typename W::template Atomic<u32> state{0};
    static constexpr u32 waiting = 0, asleep = 1, granted = 2;
    // A value of `next`: the owner is unlocking, and sleeps until its successor has linked itself.
    static Node* leaver_asleep() { return reinterpret_cast<Node*>(uptr{1}); }
  };

  // Values of a thread's grant cell, W::Thread::bucket_grant.
  static constexpr i32 none = 0, granted = 1, waited_for = -1, receipt_awaited = -2;

  void lock(Thread* thread, Node* node, BucketLockPolicy policy) {
    W::count(thread, LockCounter::bucket_locks);
    switch (policy.kind) {
      case BucketLockKind::Hemlock: lock_hemlock(thread, policy.spin_reads); break;
      case BucketLockKind::Mcs: lock_mcs(thread, node, policy.spin_reads); break;
      case BucketLockKind::Mutex: lock_mutex(thread); break;
    }
  }
  void unlock(Thread* thread, Node* node, BucketLockPolicy policy) {
    switch (policy.kind) {
      case BucketLockKind::Hemlock: unlock_hemlock(thread); break;
      case BucketLockKind::Mcs: unlock_mcs(node, policy.spin_reads); break;
      case BucketLockKind::Mutex: mutex_.unlock(); break;
    }
  }

 private:
  // --- hemlock -------------------------------------------------------------------------------------------------------
  void lock_hemlock(Thread* thread, u32 spin_reads) {
    await_receipt(thread, spin_reads);                                           // R3
    uptr predecessor = tail_.exchange(word(thread), std::memory_order_acq_rel);  // R5
    if (predecessor == 0) return;
    W::count(thread, LockCounter::bucket_lock_waits);
    auto& cell = reinterpret_cast<Thread*>(predecessor)->bucket_grant;
    auto is_granted = [](i32 seen) { return seen == granted || seen == receipt_awaited; };
    if (!W::spin_until(cell, is_granted, spin_reads)) {
      for (;;) {
        i32 seen = none;
        if (!cell.compare_exchange_strong(seen, waited_for, std::memory_order_acquire, std::memory_order_acquire) &&
            is_granted(seen))
          break;
        W::wait_on(cell, waited_for, forever);  // R4
      }
    }
    // This store tells the predecessor that this thread has seen the grant. From now on the predecessor may use its own
    // cell again.
    if (cell.exchange(none, std::memory_order_acq_rel) == receipt_awaited) W::wake(cell, 1);  // R5
  }

  void unlock_hemlock(Thread* thread) {
    uptr last = word(thread);
    if (tail_.compare_exchange_strong(last, 0, std::memory_order_release, std::memory_order_relaxed)) return;  // R5
    auto& cell = thread->bucket_grant;
    if (cell.exchange(granted, std::memory_order_acq_rel) == waited_for) W::wake(cell, 1);  // R5
  }

  static void await_receipt(Thread* thread, u32 spin_reads) {
    auto& cell = thread->bucket_grant;
    auto has_arrived = [](i32 seen) { return seen == none; };
    if (has_arrived(cell.load(std::memory_order_acquire)) || W::spin_until(cell, has_arrived, spin_reads)) return;
    for (;;) {
      i32 seen = granted;
      if (!cell.compare_exchange_strong(seen, receipt_awaited, std::memory_order_acquire, std::memory_order_acquire) &&
          has_arrived(seen))
        return;
      W::wait_on(cell, receipt_awaited, forever);  // R4
    }
  }

  // --- mcs -----------------------------------------------------------------------------------------------------------
  void lock_mcs(Thread* thread, Node* node, u32 spin_reads) {
    node->thread = thread;
    uptr before = tail_.exchange(word(node), std::memory_order_acq_rel);  // R5
    if (before == 0) return;
    W::count(thread, LockCounter::bucket_lock_waits);
    Node* predecessor = reinterpret_cast<Node*>(before);
    // The predecessor's thread is read before the link is stored, because afterwards the predecessor's node may be
    // gone.
    Thread* leaver = predecessor->thread;
    if (predecessor->next.exchange(node, std::memory_order_acq_rel) == Node::leaver_asleep()) W::unpark(leaver);
    if (W::spin_until(node->state, [](u32 seen) { return seen == Node::granted; }, spin_reads)) return;
    u32 seen = Node::waiting;
    node->state.compare_exchange_strong(seen, Node::asleep, std::memory_order_acquire, std::memory_order_acquire);
    while (node->state.load(std::memory_order_acquire) != Node::granted) W::park_in_place(thread, forever);  // R4
  }

  void unlock_mcs(Node* node, u32 spin_reads) {
    uptr last = word(node);
    if (node->next.load(std::memory_order_acquire) == nullptr &&
        tail_.compare_exchange_strong(last, 0, std::memory_order_release, std::memory_order_relaxed))
      return;  // R5
    // Another thread's node is the tail now. That thread is about to link its node to `node`. The link takes two
    // instructions, unless the thread is preempted.
    auto is_linked = [](Node* next) { return next != nullptr && next != Node::leaver_asleep(); };
    if (!W::spin_until(node->next, is_linked, spin_reads)) {
      Node* nobody = nullptr;
      node->next.compare_exchange_strong(nobody, Node::leaver_asleep(), std::memory_order_acquire,
                                         std::memory_order_acquire);
      while (!is_linked(node->next.load(std::memory_order_acquire))) W::park_in_place(node->thread, forever);  // R4
    }
    Node* next = node->next.load(std::memory_order_acquire);
    // The successor's thread is read before the grant is stored, because afterwards the successor's node may be gone.
    Thread* successor = next->thread;
    if (next->state.exchange(Node::granted, std::memory_order_acq_rel) == Node::asleep) W::unpark(successor);  // R5
  }

  // --- mutex ---------------------------------------------------------------------------------------------------------
  void lock_mutex(Thread* thread) {
    if (mutex_.try_lock()) return;
    W::count(thread, LockCounter::bucket_lock_waits);
    mutex_.lock();
  }

  static uptr word(const void* pointer) { return reinterpret_cast<uptr>(pointer); }

  typename W::template Atomic<uptr> tail_{0};  // the thread that queued last: in hemlock its Thread, in mcs its Node
  typename W::Mutex mutex_;
};

}  // namespace keyhole::sync
