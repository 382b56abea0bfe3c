// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ClassWaiters: threads that wait for another thread to link or initialise a class, as a template over World. The
// caller's mutex protects the list and the states of classes.
//
// R1: a thread never becomes managed while it holds the mutex: that can take as long as a collection, and a thread for
//     which the collection waits may need the mutex. So a waiter releases the mutex, waits, becomes managed, and only
//     then locks the mutex again. A change in between is not lost, because it removes the waiter from the list.
// R2: waiters park as they do for a monitor: a virtual thread may wait for an initialiser on a thread that is
//     unmounted, and a carrier that slept here could not run that thread.
// R3: a waiter may be gone as soon as its is_notified is set, so its link and its thread are read before.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class ClassWaitersOf {
 public:
  using Thread = typename W::Thread;

  // Waits until some class's state has changed. The caller holds the mutex, which is released meanwhile. Exempt from
  // the thread safety analysis, because only the caller knows the mutex.
  template <typename Lock> void wait(Thread* thread, Lock& mutex) NO_THREAD_SAFETY_ANALYSIS {
    Waiter waiter;
    waiter.thread.set(thread);
    waiter.next.set(first_.get());
    first_.set(&waiter);
    mutex.unlock();
    {
      typename W::BlockedScope blocked(thread);                                              // R1
      while (!waiter.is_notified.load(std::memory_order_acquire)) W::park(thread, forever);  // R2
    }
    mutex.lock();
  }

  // Wakes all waiters. The caller holds the mutex.
  void notify_all() {
    Waiter* waiter = first_.get();
    first_.set(nullptr);
    while (waiter != nullptr) {
      Thread* thread = waiter->thread.get();  // R3
      Waiter* next = waiter->next.get();
      waiter->is_notified.store(true, std::memory_order_release);
      W::unpark(thread);
      waiter = next;
    }
  }

 private:
  struct Waiter {
    typename W::template Plain<Thread*> thread;
    typename W::template Plain<Waiter*> next;
    typename W::template Atomic<bool> is_notified{false};
  };
  typename W::template Plain<Waiter*> first_;
};

}  // namespace keyhole
