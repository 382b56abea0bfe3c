// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// State transitions as scopes: a line may touch objects only where its thread is InJava or InVM.
//
//   scope                    from               to        at the end
//   BlockedScope             InVM               Blocked   back, stopping first if a safepoint is in progress
//   NativeScope              InVM               InNative  back, stopping first if a safepoint is in progress
//   VMScope                  InNative           InVM      back (a callback or an attaching thread)
//
// InJava -> InVM is not a transition of its own: both are "managed", and the interpreter's slow paths just call. Raw
// Object* do not survive a scope: the collector may have run inside it. Keep Handles. Inside a BlockedScope or
// NativeScope the function has neither of the capabilities MUTATOR and MAY_STOP (runtime/base/capabilities.h), so calls
// of functions marked TOUCHES_OBJECTS or MAY_SAFEPOINT do not compile there.
//
// R1: leaving managed code publishes everything with a release store of the state; the coordinator's acquire load of
//     the state pairs with it.
// R2: coming back is: store state (managed), full fence, load poll; the coordinator's is: store poll, full fence, load
//     state. At least one of the two sees the other (Dekker). A thread that sees the poll set goes back to the safe
//     state and waits.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/check.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

namespace thread_state {
void leave_managed(JavaThread* thread, ThreadState safe_state) ENTERS_SAFE_STATE;
// Makes the thread managed; blocks while a safepoint is in progress.
void enter_managed(JavaThread* thread) LEAVES_SAFE_STATE;

// Declares to the compiler that the thread is managed; debug builds check it. For managed code whose caller the
// compiler does not see: the bodies of threads, and functions that tables and generated code call.
inline void assert_managed([[maybe_unused]] JavaThread* thread) ASSERT_SHARED_CAPABILITY(MUTATOR, MAY_STOP) {
  KEYHOLE_ASSERT(thread->state.load() == ThreadState::InVM || thread->state.load() == ThreadState::InJava,
                 "the thread is in a safe state");
}
}  // namespace thread_state

class SCOPED_CAPABILITY BlockedScope {
 public:
  explicit BlockedScope(JavaThread* thread) ENTERS_SAFE_STATE : thread_(thread) {
    // A thread that sleeps may be in a list from which other threads read its address. So a BlockedScope marks the
    // thread as known to other threads (thread_structures.h S2).
    thread->is_known = true;
    thread_state::leave_managed(thread, ThreadState::Blocked);
  }
  ~BlockedScope() RELEASE() { thread_state::enter_managed(thread_); }
  BlockedScope(const BlockedScope&) = delete;
  BlockedScope& operator=(const BlockedScope&) = delete;

 private:
  JavaThread* thread_;
};

class SCOPED_CAPABILITY NativeScope {
 public:
  explicit NativeScope(JavaThread* thread) ENTERS_SAFE_STATE : thread_(thread) {
    thread_state::leave_managed(thread, ThreadState::InNative);
  }
  ~NativeScope() RELEASE() { thread_state::enter_managed(thread_); }
  NativeScope(const NativeScope&) = delete;
  NativeScope& operator=(const NativeScope&) = delete;

 private:
  JavaThread* thread_;
};

class SCOPED_CAPABILITY VMScope {
 public:
  explicit VMScope(JavaThread* thread) LEAVES_SAFE_STATE : thread_(thread) { thread_state::enter_managed(thread); }
  ~VMScope() RELEASE() { thread_state::leave_managed(thread_, ThreadState::InNative); }
  VMScope(const VMScope&) = delete;
  VMScope& operator=(const VMScope&) = delete;

 private:
  JavaThread* thread_;
};

}  // namespace keyhole
