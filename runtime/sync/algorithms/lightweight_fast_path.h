// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The uncontended part of lightweight locking's fast path. Two snippets include it: lightweight_monitor_fast_path.h and
// monitor_table_fast_path.h.
//
//   enter   the header is 01: CAS it to 00 (the other bits stay), push the object on the thread's lock stack.
//           Otherwise, if the object is already on top of the stack: push it again
//   exit    the two top entries are the object: pop one.
//           Only the top entry is the object: CAS the header from 00 to 01, pop
//
// A function that returns false has changed nothing, and the caller takes the slow path. The snippet contains no VM
// call and no safepoint. The whole algorithm and its rules R1.. are in runtime/sync/algorithms/lightweight.h.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/java_world.h"

namespace keyhole::sync {

// No limits: the lock stack has its full size, a constant, and a recursive enter pushes the object again.
struct WholeLockStack {
  template <typename Thread> static constexpr u32 capacity() { return Thread::lock_stack_capacity; }
  static constexpr bool keeps_recursion() { return true; }
};
// The limits that -XX:LockStackCapacity and RecursiveLightweightLocking set. Written once at start.
struct LimitedLockStack {
  static u32 entries;  // defined in one .cpp file, so that the VM and the bitcode (jit/snippets) share the variable
  static bool recursive;
  template <typename Thread> static u32 capacity() { return entries; }
  static bool keeps_recursion() { return recursive; }
};

template <typename W, typename LockStackLimits> struct LightweightFastPathOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord*) {
    u32 top = thread->lock_stack_top;
    if (top >= LockStackLimits::template capacity<Thread>()) [[unlikely]]
      return false;
    layout::Word KEYHOLE_HEAP* header = W::header(object);
    layout::Word word = W::load(header, Order::relaxed);
    if ((word & layout::lock_mask) == layout::unlocked) [[likely]] {
      // acquire: pairs with the release in exit (lightweight.h R2).
      if (W::cas(header, word, word ^ layout::unlocked, Order::acquire) != word) [[unlikely]]
        return false;
      if constexpr (W::notes_snippets) W::note_in_snippet(thread, picture::took_header(2));
    } else if (!LockStackLimits::keeps_recursion() || top == 0 || thread->lock_stack[top - 1] != object) {
      return false;
    }
    // An object on top of the lock stack is pushed again whatever its header says: this thread holds the object, even
    // if a contender has inflated it with an anonymous owner meanwhile (lightweight.h R4).
    thread->lock_stack[top] = object;
    thread->lock_stack_top = top + 1;
    return true;
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord*) {
    u32 top = thread->lock_stack_top;
    if (top == 0 || thread->lock_stack[top - 1] != object) [[unlikely]]
      return false;
    if (top == 1 || thread->lock_stack[top - 2] != object) [[likely]] {
      layout::Word KEYHOLE_HEAP* header = W::header(object);
      layout::Word word = W::load(header, Order::relaxed);
      // lightweight.h R3: the header is changed by CAS, because at any moment a contender may inflate and any thread
      // may install a hash.
      if ((word & layout::lock_mask) != layout::locked) [[unlikely]]
        return false;
      if (W::cas(header, word, word | layout::unlocked, Order::release) != word) [[unlikely]]
        return false;
      if constexpr (W::notes_snippets) W::note_in_snippet(thread, picture::freed_header(2));
    }
    thread->lock_stack_top = top - 1;
    return true;
  }
};

}  // namespace keyhole::sync
