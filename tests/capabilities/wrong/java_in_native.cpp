// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A function that may stop is called in a safe state: it would run managed code in a thread for which no safepoint
// waits.
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/java_call.h"

namespace keyhole {

void locks(JavaThread* thread, Handle object, LockRecord* record) {
  NativeScope native(thread);
  sync::enter(thread, object, record);   // error: cannot call function 'enter' while the state 'SAFE_STATE' is held
}

u64 calls_java(JavaThread* thread, Method* method) {
  NativeScope native(thread);
  return call_java(thread, method, {});   // error: cannot call function 'call_java' while the state 'SAFE_STATE'
}

void blocks_twice(JavaThread* thread) {
  NativeScope native(thread);
  BlockedScope blocked(thread);   // error: acquiring the state 'SAFE_STATE' that is already held
}

}  // namespace keyhole
