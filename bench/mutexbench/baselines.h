// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Baselines for the algorithms of runtime/sync: locks that do not implement Java's `synchronized`. Like the algorithms,
// they are templates over a World.
//
//   bare-cas-pair   one CAS to lock a word, one to unlock it, waiting by reading: the least that a lock can cost
//   futex-mutex     the protocol of glibc's default pthread mutex: 0 free, 1 held, 2 held and perhaps waited for; no
//                   spinning, all waiters sleep on the lock's only word, newcomers may bypass them
//   park-hand-off   the protocol of ReentrantLock(true): a queue, every waiter parks at once, the releaser hands the
//                   lock to the oldest
//
// None of these locks is recursive, and none has a wait set or an identity hash.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole::mutexbench {

template <typename W> struct alignas(128) BareCasPairOf {
  using Thread = typename W::Thread;
  typename W::template Atomic<u32> word{0};

  void lock(Thread*) {
    u32 none = 0;
    while (!word.compare_exchange_strong(none, 1, std::memory_order_acquire)) {
      while (!W::spin_until(word, [](u32 value) { return value == 0; }, 1000)) {
      }
      none = 0;
    }
  }
  void unlock(Thread*) {
    u32 held = 1;
    word.compare_exchange_strong(held, 0, std::memory_order_release);
  }
};

template <typename W> struct alignas(128) FutexMutexOf {
  using Thread = typename W::Thread;
  typename W::template Atomic<i32> word{0};

  void lock(Thread* thread) {
    i32 none = 0;
    if (word.compare_exchange_strong(none, 1, std::memory_order_acquire)) return;
    typename W::BlockedScope blocked(thread);
    while (word.exchange(2, std::memory_order_acquire) != 0) W::wait_on(word, 2, forever);
  }
  void unlock(Thread*) {
    if (word.exchange(0, std::memory_order_release) == 2) W::wake(word, 1);
  }
};

template <typename W> struct alignas(128) ParkHandOffOf {
  using Thread = typename W::Thread;
  struct Node {
    Thread* thread;
    typename W::template Atomic<Node*> next{nullptr};
    typename W::template Atomic<u32> granted{0};
  };
  typename W::template Atomic<Node*> tail{nullptr};
  typename W::template Plain<Node*> owner;  // the holder's node; it remains first in the queue until the holder unlocks

  // The node must live until unlock; the caller owns it.
  void lock(Thread* thread, Node* node) {
    node->thread = thread;
    node->next.store(nullptr, std::memory_order_relaxed);
    node->granted.store(0, std::memory_order_relaxed);
    Node* before = tail.exchange(node, std::memory_order_acq_rel);
    if (before != nullptr) {
      before->next.store(node, std::memory_order_release);
      typename W::BlockedScope blocked(thread);
      while (node->granted.load(std::memory_order_acquire) == 0) W::park(thread, forever);
    }
    owner.set(node);
  }
  void unlock(Thread*) {
    Node* node = owner.get();
    Node* successor = node->next.load(std::memory_order_acquire);
    if (successor == nullptr) {
      Node* last = node;
      if (tail.compare_exchange_strong(last, nullptr, std::memory_order_release)) return;
      // Waits until the next thread has linked its node. That thread has already exchanged the tail.
      while (!W::spin_until(node->next, [](Node* next) { return next != nullptr; }, 1000)) {
      }
      successor = node->next.load(std::memory_order_acquire);
    }
    // after the grant, the successor's node belongs to its thread again, so it must not be read
    Thread* thread = successor->thread;
    successor->granted.store(1, std::memory_order_release);
    W::unpark(thread);
  }
};

}  // namespace keyhole::mutexbench
