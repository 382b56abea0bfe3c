// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of an inflated object's lock, as a snippet that compiled code inlines. It covers a monitor that is free
// or already held by this thread, and an exit that has to wake no thread.
//
//   enter   owner 0 (none):      CAS owner from 0 to this thread's id
//           owner this thread:   add one level
//   exit    levels remain:       remove one level
//           last level:          if no thread is queued, or there is a successor and no thread is starving: store 0 in
//                                owner, fence, read the queue again
//
// A function that returns false has changed nothing, and the caller takes the slow path. Rules: object_monitor.h.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/monitor/object_monitor.h"

namespace keyhole::sync {

template <typename W> struct MonitorFastPath {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord*) {
    // acquire: this thread sees all that the inflating thread wrote to the monitor (inflation.h R1). The monitor may be
    // deflated meanwhile, but its memory is not reused before this thread's next poll.
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) != layout::inflated) [[unlikely]]
      return false;
    return try_enter(thread, Monitor::of_header(word));
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord*) {
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) != layout::inflated) [[unlikely]]
      return false;
    return try_exit(thread, Monitor::of_header(word));
  }

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Monitor* monitor) {
    u64 holder = monitor->owner.load(std::memory_order_relaxed);
    // object_monitor.h R2. While a monitor is being deflated its owner word is `deflater`, so this snippet cannot take
    // the monitor.
    if (holder == Monitor::nobody) [[likely]] {
      if (!told(monitor->owner.compare_exchange_strong(holder, thread->id, std::memory_order_seq_cst), thread, 2))
        return false;
      monitor->count_acquisition();
      return true;
    }
    if (holder != thread->id) return false;
    monitor->recursions.set(monitor->recursions.get() + 1);
    return true;
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Monitor* monitor) {
    if (!monitor->is_owned_by(thread)) [[unlikely]]
      return false;
    if (u32 levels = monitor->recursions.get(); levels != 0) {
      monitor->recursions.set(levels - 1);
      return true;
    }
    if (monitor->entry_list.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
      // A queued thread must be woken, or made the owner (object_monitor.h R10).
      if (monitor->successor.load(std::memory_order_relaxed) == 0) return false;
      if (monitor->starving.load(std::memory_order_relaxed) != 0) return false;
    }
    monitor->owner.store(Monitor::nobody, std::memory_order_release);  // object_monitor.h R2
    if constexpr (W::notes_snippets)
      W::note_in_snippet(thread, picture::change(picture::Step::let_go, picture::monitor_rule(2)));
    W::fence();  // object_monitor.h R1
    if (monitor->entry_list.load(std::memory_order_seq_cst) == nullptr) [[likely]]
      return true;
    if (monitor->successor.load(std::memory_order_seq_cst) != 0) return true;
    // A thread has queued meanwhile and must be woken. If another thread has taken the lock, that thread's exit wakes
    // the queued thread. Otherwise this thread takes the lock again and returns false, so that the slow path exits the
    // monitor.
    u64 free = Monitor::nobody;
    return !told(monitor->owner.compare_exchange_strong(free, thread->id, std::memory_order_seq_cst), thread, 1);
  }

 private:
  // If `taken` is true, reports for the pictures that the thread has made itself the owner. Returns `taken`.
  KEYHOLE_ALWAYS_INLINE static bool told(bool taken, Thread* thread, u8 rule) {
    if constexpr (W::notes_snippets) {
      if (taken) W::note_in_snippet(thread, picture::change(picture::Step::took, picture::monitor_rule(rule)));
    }
    return taken;
  }
};

}  // namespace keyhole::sync
