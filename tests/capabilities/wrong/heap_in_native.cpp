// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap is touched in state InNative, while the collector may be moving objects.
#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

i32 reads_through_a_handle(JavaThread* thread, Handle array) MAY_SAFEPOINT {
  NativeScope native(thread);
  return array->length();  // error: requires holding the right 'MUTATOR'
}

Object* takes_out_of_a_handle(JavaThread* thread, Handle object) MAY_SAFEPOINT {
  BlockedScope blocked(thread);
  return object.get();  // error: calling function 'get' requires holding the right 'MUTATOR'
}

const Klass* reads_a_header(JavaThread* thread, const Object* object) MAY_SAFEPOINT {
  NativeScope native(thread);
  return object->klass();  // error: calling function 'klass' requires holding the right 'MUTATOR'
}

}  // namespace keyhole
