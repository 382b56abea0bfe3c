// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Monitors only: the first enter gives the object an ObjectMonitor, and every enter and exit goes through it. This is
// the simplest algorithm with monitors, and a baseline: it pays the costs that header-only fast paths of other
// algorithms save.
//
//   header     meaning                                written by                     becomes
//   ...01      free, and without a monitor            anyone (CAS, acq_rel)          10, held by that thread
//   klass,M,10 has a monitor: M names the holder      deflation (CAS)                01
//
// R1: a monitor is installed with its first owner already set, so one CAS installs and enters it.
// R2: hash and age are in the header under 01, in the monitor under 10 (identity_hash.h).
// R3: a thread that calls exit, wait or notify and finds 01 does not hold the lock.
//
// The monitor of an object with header 10: object_monitor.h; its fast path: monitor_fast_path.h.
#pragma once

#include "runtime/sync/identity_hash.h"
#include "runtime/sync/monitor/inflation.h"
#include "runtime/sync/monitor/monitor_fast_path.h"
#include "runtime/sync/protocol.h"

namespace keyhole::sync {

template <typename W> class MonitorLockOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;
  using FastPath = MonitorFastPath<W>;

  explicit MonitorLockOf(MonitorListOf<W>& monitors) : monitors_(monitors) {}

  Status enter(Thread* thread, Root root, LockRecord*) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    InflationOf<W> inflation(monitors_);
    for (;;) {
      Reference object = W::at(root);
      u64 word = W::load(W::header(object), Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (!inflation.prepare()) return Status::OutOfMemory;
        inflation.fill(object, word, thread->id, 0);
        u64 installed = inflation.fresh()->header_word();
        // acquire: pairs with the deflater's release of the header, which comes after the last owner's release of the
        // monitor. release: publishes the complete monitor (inflation.h R1).
        if (W::cas(W::header(object), word, installed, Order::acq_rel) != word) continue;  // R1
        W::note(thread, picture::took_inflating(1), thread->id);
        inflation.installed(thread, object, installed, InflationCause::Enter);
        return Status::Done;
      }
      Monitor* monitor = Monitor::of_header(word);
      if (monitor->enter(thread)) return Status::Done;
      // The monitor is being deflated. Restores the header on behalf of the deflater, so that the next round of the
      // loop finds no monitor. A failed `enter` has reached no safepoint, so `object` is still the object's address.
      monitor->restore_header(object);
    }
  }

  Status exit(Thread* thread, Reference object, LockRecord*) {
    W::count(thread, LockCounter::slow_exits);
    Monitor* monitor = owned(thread, object);
    if (monitor == nullptr) return Status::NotOwner;
    monitor->exit(thread);
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Monitor* monitor = owned(thread, W::at(root));
    if (monitor == nullptr) return Status::NotOwner;
    return monitor->wait(thread, nanoseconds) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    Monitor* monitor = owned(thread, object);
    if (monitor == nullptr) return Status::NotOwner;
    if (all) monitor->notify_all(thread);
    else monitor->notify_one(thread);
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_of<W>(thread, object); }  // R2

  bool holds(Thread* thread, Reference object) const { return owned(thread, object) != nullptr; }

  Thread* owner(Reference object) const {
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) != layout::inflated) return nullptr;
    u64 id = Monitor::of_header(word)->owner.load(std::memory_order_acquire);
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (thread->id == id) found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) { monitors_.visit_weak(forward); }
  u64 displaced_header(Reference object) const {
    return Monitor::of_header(W::load(W::header(object), Order::relaxed))->displaced.load(std::memory_order_relaxed);
  }
  u32 in_use() const { return monitors_.count(); }

 private:
  // Returns the object's monitor if this thread holds it, otherwise null (R3).
  static Monitor* owned(const Thread* thread, Reference object) {
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) != layout::inflated) return nullptr;
    Monitor* monitor = Monitor::of_header(word);
    return monitor->is_owned_by(thread) ? monitor : nullptr;
  }

  MonitorListOf<W>& monitors_;
};

}  // namespace keyhole::sync
