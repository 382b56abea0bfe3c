// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all monitors in use, and the two ways off it: deflation while others run, and the collector's visit.
//
//   first -> M3 -> M2 -> M1        pushed at the head by CAS, by any inflating thread
//
// R1: unlinking is done by one thread at a time: the deflater (one pass at a time), or the collector with the world stopped.
// R2: a pass polls between two monitors, so the world may stop while it stands in the middle of the list. The collector then changes
//     no links: it only forwards or clears `object`, and the pass picks the dead ones up when it goes on.
// R3: what a pass took off goes to a list of its own, and back to the pool after a handshake with all threads.
// R4: between a monitor's last deflation step and its detaching from the object there is no poll: with the world stopped no object
//     has a monitor that is half taken away.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// Where an algorithm keeps its objects' monitors, when that is not the header: as monitor_table_protocol.h.
template <typename W> class MonitorHomeOf {
 public:
  // R4. `object` is null when it died. The monitor is deflated, or its object is dead.
  virtual void detach(typename W::Monitor* monitor, typename W::Reference object) = 0;
  // (s) What else the deflater has to do, without and with a pass; one thread at a time, as passes are. poll may stop it.
  virtual bool needs_tending() const = 0;
  virtual void tend(typename W::Thread* deflater, void (*poll)(typename W::Thread*)) = 0;
  // In each thread's part of the handshake after a pass: it forgets monitors that it remembers for speed.
  virtual void forget_remembered(typename W::Thread* thread) = 0;
  // After that handshake: what nobody can hold a pointer to any more.
  virtual void release_retired() = 0;

 protected:
  ~MonitorHomeOf() = default;
};

template <typename W> class MonitorListOf {
 public:
  using Monitor = typename W::Monitor;
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  static constexpr u32 monitors_between_polls = 512;

  void push(Monitor* monitor) {
    Monitor* head = first_.load(std::memory_order_relaxed);
    do {
      monitor->next_in_list = head;
    } while (!first_.compare_exchange_weak(head, monitor, std::memory_order_release, std::memory_order_relaxed));
    count_.fetch_add(1, std::memory_order_relaxed);
  }

  // At start, before the first monitor. Null: monitors hang in the header.
  void set_home(MonitorHomeOf<W>* home) { home_.store(home, std::memory_order_release); }
  MonitorHomeOf<W>* home() const { return home_.load(std::memory_order_acquire); }

  u32 count() const { return count_.load(std::memory_order_relaxed); }

  // For dumps and tests; at a safepoint, or without anybody deflating.
  template <typename Visitor> void for_each(Visitor&& visit) const {
    for (Monitor* monitor = first_.load(std::memory_order_acquire); monitor != nullptr; monitor = monitor->next_in_list) visit(monitor);
  }

  // (s) Deflates what is idle; returns the monitors taken off, linked, to be freed after a handshake (R3). poll() may stop the thread.
  template <typename Poll> Monitor* deflate_idle(Thread* thread, Poll poll) {
    Monitor* taken = nullptr;
    Monitor* previous = nullptr;
    Monitor* monitor = first_.load(std::memory_order_acquire);
    u32 since_poll = 0;
    passing_.store(true, std::memory_order_relaxed);
    while (monitor != nullptr) {
      Monitor* next = monitor->next_in_list;
      bool dead = monitor->object.load(std::memory_order_relaxed) == nullptr;
      if (dead || monitor->try_deflate(thread)) {
        detach(monitor);
        W::count(thread, LockCounter::deflations);
        W::on_deflated(monitor->object.load(std::memory_order_relaxed), monitor);
        unlink(monitor, previous);
        monitor->next_in_list = taken;
        taken = monitor;
      } else {
        previous = monitor;
      }
      monitor = next;
      if (++since_poll == monitors_between_polls) {
        since_poll = 0;
        poll();   // R2: `previous` and `monitor` stay in the list
      }
    }
    passing_.store(false, std::memory_order_relaxed);
    return taken;
  }

  // World stopped. forward(reference): the new address, or null when dead. Dead monitors and those idle since the last visit are freed.
  template <typename Forward> void visit_weak(Forward forward) {
    bool may_unlink = !passing_.load(std::memory_order_relaxed);   // R2
    Monitor* previous = nullptr;
    Monitor* next;
    for (Monitor* monitor = first_.load(std::memory_order_acquire); monitor != nullptr; monitor = next) {
      next = monitor->next_in_list;
      Reference object = monitor->object.load(std::memory_order_relaxed);
      if (object != nullptr) {
        object = forward(object);
        monitor->object.store(object, std::memory_order_relaxed);
      }
      bool gone = false;
      if (may_unlink) {
        if (object == nullptr) {
          gone = true;
        } else if (monitor->used_lately.load(std::memory_order_relaxed) != 0) {
          monitor->used_lately.store(0, std::memory_order_relaxed);
        } else {
          gone = monitor->try_deflate(nullptr);
        }
      }
      if (!gone) {
        previous = monitor;
        continue;
      }
      detach(monitor);
      W::on_deflated(object, monitor);
      unlink(monitor, previous);
      W::free_monitor(monitor);   // the world is stopped: nobody holds a pointer without holding contentions or waiters
    }
  }

 private:
  void detach(Monitor* monitor) {   // R4
    Reference object = monitor->object.load(std::memory_order_relaxed);
    if (MonitorHomeOf<W>* other = home()) other->detach(monitor, object);
    else monitor->restore_header(object);
  }

  void unlink(Monitor* monitor, Monitor* previous) {
    Monitor* next = monitor->next_in_list;
    count_.fetch_sub(1, std::memory_order_relaxed);
    if (previous == nullptr) {
      Monitor* head = monitor;
      if (first_.compare_exchange_strong(head, next, std::memory_order_acq_rel, std::memory_order_acquire)) return;
      // Newer monitors were pushed in front of it.
      previous = head;
      while (previous->next_in_list != monitor) previous = previous->next_in_list;
    }
    previous->next_in_list = next;
  }

  typename W::template Atomic<MonitorHomeOf<W>*> home_{nullptr};
  typename W::template Atomic<Monitor*> first_{nullptr};
  typename W::template Atomic<u32> count_{0};
  typename W::template Atomic<bool> passing_{false};
};

}  // namespace keyhole::sync
