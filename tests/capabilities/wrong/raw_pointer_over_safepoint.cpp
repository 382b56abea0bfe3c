// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A raw pointer is held over a call that may stop. The NoSafepoint scope of the pointer forbids this call.
#include "gc/heap/heap.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/safepoint.h"

namespace keyhole {

i32 allocates(JavaThread* thread, Handle array, Klass* klass) MAY_SAFEPOINT {
  NoSafepoint no_safepoint;
  Object* raw = array.get();
  heap::allocate_instance(thread, klass);  // error: cannot call function 'allocate_instance' while the scope
  return raw->length();
}

i32 polls(JavaThread* thread, Handle array) MAY_SAFEPOINT {
  NoSafepoint no_safepoint;
  Object* raw = array.get();
  safepoint::poll(thread);  // error: cannot call function 'poll' while the scope 'NO_SAFEPOINT' is held
  return raw->length();
}

}  // namespace keyhole
