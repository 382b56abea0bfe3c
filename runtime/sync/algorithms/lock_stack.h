// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on a thread's lock stack for lightweight locking, beyond the pushes and pops of the snippet.
//
//   | A | B | B | C | . | . | . | . |     oldest first; the same object twice in a row = one recursion
//
// Only the owner of the stack calls these functions; the collector updates the entries while the owner is stopped. An
// object on the stack is held by this thread, whatever the header says. No function reaches a safepoint.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::sync {

template <typename W> struct LockStackOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;

  static bool contains(const Thread* thread, Reference object) {
    u32 top = thread->lock_stack_top;
    for (u32 i = 0; i < top; ++i) {
      if (thread->lock_stack[i] == object) return true;
    }
    return false;
  }
  static u32 count(const Thread* thread, Reference object) {
    u32 count = 0;
    for (u32 i = 0; i < thread->lock_stack_top; ++i) count += thread->lock_stack[i] == object;
    return count;
  }
  // Removes all entries of `object`; the others keep their order. Returns the number of removed entries.
  static u32 remove(Thread* thread, Reference object) {
    u32 kept = 0, top = thread->lock_stack_top;
    for (u32 i = 0; i < top; ++i) {
      if (thread->lock_stack[i] != object) thread->lock_stack[kept++] = thread->lock_stack[i];
    }
    for (u32 i = kept; i < top; ++i) thread->lock_stack[i] = nullptr;
    thread->lock_stack_top = kept;
    return top - kept;
  }

  // Removes the newest entry of `object`, which has several entries.
  static void remove_one(Thread* thread, Reference object) {
    u32 top = thread->lock_stack_top, newest = top - 1;
    while (thread->lock_stack[newest] != object) --newest;
    for (u32 i = newest; i + 1 < top; ++i) thread->lock_stack[i] = thread->lock_stack[i + 1];
    thread->lock_stack[top - 1] = nullptr;
    thread->lock_stack_top = top - 1;
  }

  // Claims `monitor`, which a contender made with an anonymous owner. If the monitor's object is on this lock stack,
  // this thread is the owner: it writes its id to the monitor, and the number of the object's entries becomes the
  // monitor's count of levels.
  static void claim(Thread* thread, Reference object, Monitor* monitor) {
    if (monitor->owner.load(std::memory_order_relaxed) != Monitor::anonymous) return;
    u32 entries = remove(thread, object);
    if (entries == 0) return;
    monitor->recursions.set(entries - 1);
    monitor->owner.store(thread->id, std::memory_order_relaxed);
  }
};

}  // namespace keyhole::sync
