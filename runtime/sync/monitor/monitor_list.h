// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all monitors in use. Two operations unlink monitors: a deflation pass, which runs beside other threads,
// and the collector's visit, with the world stopped.
//
//   first -> M5 -> M4 -> M3 -> M2 -> M1      pushed at the head by CAS, by any inflating thread
//                        ^     ^
//                   behind_    ahead_        the place of a pass: M3 stays in the list, M2 is examined next
//
// R1: one thread at a time unlinks monitors: the thread that runs the pass (there is one pass at a time), or the
//     collector with the world stopped.
// R2: a pass polls between two monitors, so the world may stop in the middle of a pass. The place of the pass is
//     therefore kept in the list object: a collector that unlinks the monitor behind or ahead of that place updates it.
// R3: monitors that a pass has unlinked go to a list of their own, and back to the pool after a handshake with all
//     threads. The pass does this in batches of bounded size, so a long pass takes up no more memory than a short one.
// R4: a thread that has deflated a monitor detaches it from its object before it polls. So while the world is stopped
//     no object has a half-deflated monitor.
// R5: pushes go to the head only. So once a pass knows a monitor's predecessor, it unlinks the monitor with one store.
//     A pass searches a predecessor at most once: it walks from the head past the monitors that were pushed since it
//     began.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// The monitor list's interface to the object monitor table, for an algorithm whose headers do not point at monitors
// (monitor_table_protocol.h).
template <typename W> class MonitorHomeOf {
 public:
  // Takes a monitor out of the table (R4), because the monitor is deflated, or because its object has died (`object` is
  // null).
  virtual void detach(typename W::Monitor* monitor, typename W::Reference object) = 0;
  // tend() does the table's maintenance, for example a rebuild. One thread at a time calls it, and `poll` may stop that
  // thread.
  virtual bool needs_tending() const = 0;
  virtual void tend(typename W::Thread* deflater, void (*poll)(typename W::Thread*)) MAY_SAFEPOINT = 0;
  // Clears a thread's cached monitors. Called for each thread in the handshakes of a deflation pass.
  virtual void forget_remembered(typename W::Thread* thread) = 0;
  // Called after a handshake of a deflation pass: frees the memory that no thread can point to any more.
  virtual void release_retired() = 0;

 protected:
  ~MonitorHomeOf() = default;
};

template <typename W> class MonitorListOf {
 public:
  using Monitor = typename W::Monitor;
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;

  void push(Monitor* monitor) {
    Monitor* head = first_.load(std::memory_order_relaxed);
    do {
      monitor->next_in_list.set(head);
    } while (!first_.compare_exchange_weak(head, monitor, std::memory_order_release, std::memory_order_relaxed));
    count_.fetch_add(1, std::memory_order_relaxed);
  }

  // Sets the object monitor table, `home`, which is null if headers point at monitors. Called at start, before the
  // first monitor is made.
  void set_home(MonitorHomeOf<W>* home) { home_.store(home, std::memory_order_release); }
  MonitorHomeOf<W>* home() const { return home_.load(std::memory_order_acquire); }

  u32 count() const { return count_.load(std::memory_order_relaxed); }

  // Visits all monitors, for dumps and tests. Called at a safepoint, or while no thread deflates.
  template <typename Visitor> void for_each(Visitor&& visit) const {
    for (Monitor* monitor = first_.load(std::memory_order_acquire); monitor != nullptr;
         monitor = monitor->next_in_list.get())
      visit(monitor);
  }

  // Runs a deflation pass: deflates idle monitors, and calls the table's tend() if the table needs it. Passes do not
  // overlap. poll(thread) may stop the thread; quiesce() returns once every thread has passed a poll and cleared its
  // cache. Returns the number of monitors deflated.
  template <typename Poll, typename Quiesce> u32 run_pass(Thread* thread, Poll poll, Quiesce quiesce) MAY_SAFEPOINT {
    u32 count = 0;
    behind_.set(nullptr);
    ahead_.set(first_.load(std::memory_order_acquire));
    while (ahead_.get() != nullptr) {
      if (Monitor* taken = take_idle(thread, poll)) {
        quiesce();  // R3
        count += free_all(taken);
      }
    }
    behind_.set(nullptr);
    if (MonitorHomeOf<W>* other = home(); other != nullptr && other->needs_tending()) {
      other->tend(thread, poll);
      quiesce();
    }
    return count;
  }

  // World stopped: updates the monitors' references to their objects. forward(reference) returns the object's new
  // address, or null if the object died. Frees monitors of dead objects, and monitors that were idle since the last
  // visit.
  template <typename Forward> void visit_weak(Forward forward) {
    Monitor* previous = nullptr;
    Monitor* next;
    for (Monitor* monitor = first_.load(std::memory_order_acquire); monitor != nullptr; monitor = next) {
      next = monitor->next_in_list.get();
      Reference object = monitor->object.load(std::memory_order_relaxed);
      if (object != nullptr) {
        object = forward(object);
        monitor->object.store(object, std::memory_order_relaxed);
      }
      bool gone = object == nullptr;
      if (!gone && monitor->used_lately.load(std::memory_order_relaxed) != 0)
        monitor->used_lately.store(0, std::memory_order_relaxed);
      else if (!gone) gone = monitor->try_deflate(nullptr);
      if (!gone) {
        previous = monitor;
        continue;
      }
      detach(monitor);
      W::on_deflated(object, monitor);
      if (behind_.get() == monitor) behind_.set(previous);  // R2
      if (ahead_.get() == monitor) ahead_.set(next);
      unlink(monitor, previous);
      // A monitor whose `contentions` and `waiters` show that no stopped thread uses it is freed at once.
      W::free_monitor(monitor);
    }
  }

 private:
  // Continues a deflation pass from its place in the list, to the end of the list or until a batch of unlinked monitors
  // is full (R3). Returns the unlinked monitors as a list.
  template <typename Poll> Monitor* take_idle(Thread* thread, Poll poll) MAY_SAFEPOINT {
    Monitor* taken = nullptr;
    u32 taken_count = 0, since_poll = 0;
    while (Monitor* monitor = ahead_.get()) {
      ahead_.set(monitor->next_in_list.get());
      bool dead = monitor->object.load(std::memory_order_relaxed) == nullptr;
      if (dead || monitor->try_deflate(thread)) {
        detach(monitor);
        W::count(thread, LockCounter::deflations);
        W::on_deflated(monitor->object.load(std::memory_order_relaxed), monitor);
        behind_.set(unlink(monitor, behind_.get()));
        monitor->next_in_list.set(taken);
        taken = monitor;
        if (++taken_count == W::deflations_between_handshakes) break;
      } else {
        behind_.set(monitor);
      }
      if (++since_poll == W::monitors_between_polls) {
        since_poll = 0;
        poll(thread);  // R2
      }
    }
    return taken;
  }

  static u32 free_all(Monitor* taken) {
    u32 count = 0;
    while (taken != nullptr) {
      Monitor* next = taken->next_in_list.get();
      W::free_monitor(taken);
      taken = next;
      ++count;
    }
    return count;
  }

  void detach(Monitor* monitor) {  // R4
    Reference object = monitor->object.load(std::memory_order_relaxed);
    if (MonitorHomeOf<W>* other = home()) other->detach(monitor, object);
    else monitor->restore_header(object);
  }

  // Unlinks the monitor. previous: its predecessor in the list, or null if the caller does not know it. Returns the
  // predecessor, or null if the monitor was the first.
  Monitor* unlink(Monitor* monitor, Monitor* previous) {
    Monitor* next = monitor->next_in_list.get();
    count_.fetch_sub(1, std::memory_order_relaxed);
    if (previous == nullptr) {
      Monitor* head = monitor;
      if (first_.compare_exchange_strong(head, next, std::memory_order_acq_rel, std::memory_order_acquire))
        return nullptr;
      // Newer monitors were pushed in front of this one, so its predecessor is found by walking from the head.
      previous = head;
      while (previous->next_in_list.get() != monitor) previous = previous->next_in_list.get();
    }
    previous->next_in_list.set(next);
    return previous;  // R5
  }

  typename W::template Atomic<MonitorHomeOf<W>*> home_{nullptr};
  typename W::template Atomic<Monitor*> first_{nullptr};
  typename W::template Atomic<u32> count_{0};
  // The place of the deflation pass in the list (R2): the last monitor that the pass kept, and the next monitor that
  // the pass examines. Both are null if no pass runs. Written by the thread of the pass, and by the collector with the
  // world stopped.
  typename W::template Plain<Monitor*> behind_, ahead_;
};

}  // namespace keyhole::sync
