// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions without annotations: their callers may be in a safe state, or hold raw pointers.
#include "gc/barrier.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

i32 touches(Handle array) {
  Object* raw = array.get();  // error: calling function 'get' requires holding the right 'MUTATOR'
  return raw->length();       // error: calling function 'length' requires holding the right 'MUTATOR'
}

void stores(Object* holder, Object* value) {
  barrier::store(holder, 8, value);  // error: calling function 'store' requires holding the right 'MUTATOR'
}

void polls(JavaThread* thread) {
  safepoint::poll(thread);  // error: calling function 'poll' requires holding
}

// The annotation tells callers that this function touches objects, but not that it may stop.
i32 polls_and_touches(JavaThread* thread, Handle array) TOUCHES_OBJECTS {
  safepoint::poll(thread);  // error: calling function 'poll' requires holding the permission 'MAY_STOP'
  return array->length();
}

void blocks(JavaThread* thread) {
  BlockedScope blocked(thread);  // error: that was not held
}

i32 passes_a_visitor(Handle array) TOUCHES_OBJECTS {
  auto look = [&] {
    return array->length();  // error: requires holding the right 'MUTATOR'
  };
  return look();
}

}  // namespace keyhole
