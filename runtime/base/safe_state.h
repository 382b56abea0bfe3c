// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Debug builds: whether the OS thread's Java thread is in a safe state (InNative, Blocked), in which it must not touch
// objects, and where it entered that state.
//
//   runtime/threads/thread_state.h        entered() and left()
//   runtime/object, runtime/threads/handles.h    check_may_touch_objects() in each accessor
//
// Threads that are none of Java's are never in a safe state: the collector's workers touch objects while the world is
// stopped, and while the VM starts there is no thread. An operation of a safepoint or a handshake runs on a managed
// thread. Crash reports say that they look anyway.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/native_stack.h"

namespace keyhole::safe_state {

#if KEYHOLE_DEBUG
struct State {
  bool is_safe = false;
  NativeStack entered_at;
};
// Of the OS thread: a Java thread does not leave its carrier in a safe state.
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

// The thread is managed, or the world is stopped: said to the compiler, and checked in debug builds.
inline void assert_may_touch_objects() ASSERT_SHARED_CAPABILITY(MUTATOR) {
#if KEYHOLE_DEBUG
  if (safe_state::current.is_safe) [[unlikely]] safe_state::report(safe_state::current.entered_at);
#endif
}
// The same in what is TOUCHES_OBJECTS: the compiler has seen it, where it can. Not in snippets (jit/snippets).
inline void check_may_touch_objects() TOUCHES_OBJECTS {
#if KEYHOLE_DEBUG && !KEYHOLE_BITCODE
  assert_may_touch_objects();
#endif
}

}  // namespace keyhole
