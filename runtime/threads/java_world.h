// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JavaWorld: the hardware world with Java threads and objects in it. The protocols of runtime/sync are instantiated
// over it.
#pragma once

#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/injected_yield.h"
#include "runtime/threads/safepoint_protocol.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole {

struct JavaWorld : HardwareWorld {
  using Thread = JavaThread;
  using Reference = Object KEYHOLE_HEAP*;
  using Root = Handle;
  using LockRecord = keyhole::LockRecord;
  using BlockedScope = keyhole::BlockedScope;

  static Reference at(Root root) TOUCHES_OBJECTS { return root.get(); }
  KEYHOLE_ALWAYS_INLINE static layout::Word KEYHOLE_HEAP* header(Reference reference) {
    return reinterpret_cast<layout::Word KEYHOLE_HEAP*>(reference);
  }
  static bool is_suspended(const Thread* thread) { return thread->suspended.load(std::memory_order_acquire) != 0; }
  // Whether the thread has a reason to poll. Requests for samples do not count, because a sample can wait until Java
  // code polls.
  static bool safepoint_pending(Thread* thread) {
    using Protocol = SafepointProtocol<HardwareWorld, JavaThread>;
    return (thread->poll.load(std::memory_order_relaxed) & ~Protocol::sample_bits) != 0;
  }
  static void count(Thread* thread, LockCounter counter, u64 amount = 1) {
    thread->lock_counters.add(counter, amount);
    inject_yield();
  }
  // Whether `record`, the pointer in a displaced header, lies in the thread's own record stack.
  static bool owns_record(const Thread* thread, const LockRecord* record) {
    return record >= thread->lock_records && record < thread->lock_records + thread->lock_record_capacity;
  }
  // Returns the record below `record`, or null if `record` is the lowest.
  KEYHOLE_ALWAYS_INLINE static LockRecord* previous_record(const Thread* thread, LockRecord* record) {
    return record == thread->lock_records ? nullptr : record - 1;
  }
  // Whether predicate(record) is true for any of the thread's lock records. The newest record is tried first; it may
  // belong to an enter in progress.
  template <typename Predicate> static bool any_record(const Thread* thread, Predicate predicate) {
    for (u32 i = thread->lock_record_top; i != 0; --i) {
      if (predicate(const_cast<const LockRecord*>(&thread->lock_records[i - 1]))) return true;
    }
    return false;
  }
  template <typename Visit> static void for_each_thread(Visit visit) { threads::for_each(visit); }
  template <typename Visit> static void for_each_thread_in_collection(Visit visit) {
    threads::for_each_in_collection(visit);
  }
  static void park(Thread* thread, i64 nanoseconds) {
    if (thread->continuation != nullptr) [[unlikely]]
      return continuations::park(thread, nanoseconds);
    thread->monitor_parker.park(nanoseconds);
  }
  static bool leaves_processor(const Thread* thread) { return thread->continuation != nullptr; }
  static void park_in_place(Thread* thread, i64 nanoseconds) { thread->monitor_parker.park(nanoseconds); }
  static void unpark(Thread* thread) { continuations::wake(thread); }
};
static_assert(ThreadedWorld<JavaWorld>);

}  // namespace keyhole
