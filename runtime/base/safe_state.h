// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Debug builds check that a Java thread touches no objects in a safe state (InNative, Blocked), and remember the stack
// that entered the state.
//
//   runtime/threads/thread_state.h        entered() and left()
//   runtime/object, runtime/threads/handles.h    check_may_touch_objects() in each accessor
//
// Threads other than Java threads are never in a safe state: the collector's workers touch objects while the world is
// stopped, and while the VM starts there is no Java thread. An operation of a safepoint or a handshake runs on a
// managed thread. Crash reports touch objects in any state, and declare that.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/process/native_stack.h"

namespace keyhole::safe_state {

#if KEYHOLE_DEBUG
struct State {
  bool is_safe = false;
  NativeStack entered_at;
};
// There is one state per OS thread, because a Java thread does not leave its carrier in a safe state.
inline constinit thread_local State current;

inline void entered() {
  current.entered_at.take();
  current.is_safe = true;
}
inline void left() { current.is_safe = false; }
#else
inline void entered() {}
inline void left() {}
#endif

// Ends the VM with two stacks: where the thread entered the safe state, and where it touches an object.
[[noreturn]] void report(const NativeStack& entered_at);

}  // namespace keyhole::safe_state

namespace keyhole {

// Declares to the compiler that the thread is managed or the world is stopped; debug builds check it.
inline void assert_may_touch_objects() ASSERT_SHARED_CAPABILITY(MUTATOR) {
#if KEYHOLE_DEBUG
  if (safe_state::current.is_safe) [[unlikely]]
    safe_state::report(safe_state::current.entered_at);
#endif
}
// The check for functions marked TOUCHES_OBJECTS, whose callers the compiler checks as far as it can. It is left out in
// snippets (jit/snippets).
inline void check_may_touch_objects() TOUCHES_OBJECTS {
#if KEYHOLE_DEBUG && !KEYHOLE_BITCODE
  assert_may_touch_objects();
#endif
}

}  // namespace keyhole
