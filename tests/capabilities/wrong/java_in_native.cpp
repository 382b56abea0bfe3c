// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that may stop at a safepoint are called in state InNative. They would run managed code although no
// safepoint waits for a thread in this state.
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/java_call.h"

namespace keyhole {

void locks(JavaThread* thread, Handle object, LockRecord* record) MAY_SAFEPOINT {
  NativeScope native(thread);
  sync::enter(thread, object, record);  // error: calling function 'enter' requires holding
}

u64 calls_java(JavaThread* thread, Method* method) MAY_SAFEPOINT {
  NativeScope native(thread);
  return call_java(thread, method, {});  // error: calling function 'call_java' requires holding
}

void blocks_twice(JavaThread* thread) MAY_SAFEPOINT {
  NativeScope native(thread);
  BlockedScope blocked(thread);  // error: that was not held
}

}  // namespace keyhole
