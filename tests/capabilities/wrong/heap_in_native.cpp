// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap is touched in state InNative: the collector may be moving what is there.
#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

i32 reads_through_a_handle(JavaThread* thread, Handle array) {
  NativeScope native(thread);
  return array->length();   // error: cannot call function
}

Object* takes_out_of_a_handle(JavaThread* thread, Handle object) {
  BlockedScope blocked(thread);
  return object.get();   // error: cannot call function 'get' while the state 'SAFE_STATE' is held
}

const Klass* reads_a_header(JavaThread* thread, const Object* object) {
  NativeScope native(thread);
  return object->klass();   // error: cannot call function 'klass' while the state 'SAFE_STATE' is held
}

}  // namespace keyhole
