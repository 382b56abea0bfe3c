// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The same things done right: raw pointers read again after calls that may stop, heap accesses outside of a
// NativeScope, locks released first, an operation at a safepoint.
#include "gc/heap.h"
#include "runtime/base/mutex.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

i32 allocates_first(JavaThread* thread, Handle array, Klass* klass) {
  heap::allocate_instance(thread, klass);
  NoSafepoint no_safepoint;
  Object* raw = array.get();
  return raw->length();
}

i32 reads_before_it_leaves(JavaThread* thread, Handle array) {
  i32 length = array->length();
  {
    NativeScope native(thread);
    length += 1;
  }
  return length + array->length();
}

Mutex mutex{LockRank::heap};
int value GUARDED_BY(mutex) = 0;

void releases_first(JavaThread* thread) {
  MutexLock guard(mutex);
  ++value;
  guard.unlock();
  safepoint::poll(thread);
}

void locks_while_blocked(JavaThread* thread) {
  BlockedScope blocked(thread);
  MutexLock guard(mutex);
  ++value;
}

void stops_the_world(JavaThread* thread, JavaThread* target) {
  auto suspend = [&]() WORLD_STOPPED { asynchronous::request_suspension(target); };
  safepoint::run(thread, "Suspend", suspend);
}

}  // namespace keyhole
