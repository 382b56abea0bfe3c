// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ClassWaiters: threads that wait for another thread to link or initialise a class, as a template over World. The
// caller's mutex protects the list and the states of classes.
//
// R1: a thread never becomes managed again while it holds the mutex: that can take as long as a collection, and a
//     thread for which the collection waits may need the mutex. So waiting ends with the mutex released, then managed,
//     then locked again; a change in between is not lost, because it takes the waiter out of the list.
// R2: waiters sleep like those for a monitor: the initialiser that a virtual thread waits for may itself be unmounted,
//     and a carrier that slept here would be missing for it.
// R3: a waiter that was told is gone at once: its link and its thread are read before.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class ClassWaitersOf {
 public:
  using Thread = typename W::Thread;

  // The mutex is held; it is released until some class's state has changed. Not analysed: only the caller knows it.
  template <typename Lock> void wait(Thread* thread, Lock& mutex) NO_THREAD_SAFETY_ANALYSIS {
    Waiter waiter;
    waiter.thread.set(thread);
    waiter.next.set(first_.get());
    first_.set(&waiter);
    mutex.unlock();
    {
      typename W::BlockedScope blocked(thread);                                          // R1
      while (!waiter.is_told.load(std::memory_order_acquire)) W::park(thread, forever);  // R2
    }
    mutex.lock();
  }

  // The mutex is held.
  void notify_all() {
    Waiter* waiter = first_.get();
    first_.set(nullptr);
    while (waiter != nullptr) {
      Thread* thread = waiter->thread.get();  // R3
      Waiter* next = waiter->next.get();
      waiter->is_told.store(true, std::memory_order_release);
      W::unpark(thread);
      waiter = next;
    }
  }

 private:
  struct Waiter {
    typename W::template Plain<Thread*> thread;
    typename W::template Plain<Waiter*> next;
    typename W::template Atomic<bool> is_told{false};
  };
  typename W::template Plain<Waiter*> first_;
};

}  // namespace keyhole
