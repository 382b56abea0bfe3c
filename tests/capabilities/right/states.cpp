// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Correct versions of programs in wrong/, which must compile: raw pointers are read again after calls that may stop,
// the heap is accessed outside of a NativeScope, locks are released before a stop, and an operation runs at a
// safepoint.
#include "gc/heap/heap.h"
#include "runtime/base/mutex.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

i32 allocates_first(JavaThread* thread, Handle array, Klass* klass) MAY_SAFEPOINT {
  heap::allocate_instance(thread, klass);
  NoSafepoint no_safepoint;
  Object* raw = array.get();
  return raw->length();
}

i32 reads_before_it_leaves(JavaThread* thread, Handle array) MAY_SAFEPOINT {
  i32 length = array->length();
  {
    NativeScope native(thread);
    length += 1;
  }
  return length + array->length();
}

Mutex mutex{LockRank::heap};
int value GUARDED_BY(mutex) = 0;

void releases_first(JavaThread* thread) MAY_SAFEPOINT {
  MutexLock guard(mutex);
  ++value;
  guard.unlock();
  safepoint::poll(thread);
}

void locks_while_blocked(JavaThread* thread) MAY_SAFEPOINT {
  BlockedScope blocked(thread);
  MutexLock guard(mutex);
  ++value;
}

void stops_the_world(JavaThread* thread, JavaThread* target) MAY_SAFEPOINT {
  auto suspend = [&]() WORLD_STOPPED { asynchronous::request_suspension(target); };
  safepoint::run(thread, "Suspend", suspend);
}

i32 reads_in_a_stopped_world(Object* array) WORLD_STOPPED { return array->length(); }

// The VMScope brings the thread back from state InNative, so the function may stop and read the array.
i32 comes_back(JavaThread* thread, Handle array) {
  VMScope managed(thread);
  safepoint::poll(thread);
  return array->length();
}

// This function is called through a pointer, like the body of a thread, so it asserts the state of its thread.
i32 is_called_managed(JavaThread* thread, Handle array) {
  thread_state::assert_managed(thread);
  safepoint::poll(thread);
  return array->length();
}

template <typename Visitor> void visit_twice(Visitor&& visit) CALLS_VISITOR {
  visit();
  visit();
}

i32 adds(Handle array) TOUCHES_OBJECTS {
  i32 sum = 0;
  visit_twice([&]() TOUCHES_OBJECTS { sum += array->length(); });
  visit_twice([&] { ++sum; });
  return sum;
}

}  // namespace keyhole
