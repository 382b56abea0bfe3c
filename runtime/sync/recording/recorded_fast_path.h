// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A snippet while locks are recorded: an algorithm's own one, for the objects whose pairs the thread counts instead of
// telling each (lock_runs.h). All others are left to the slow path, which tells them.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::sync {

template <typename FastPath> struct RecordedFastPath {
  KEYHOLE_ALWAYS_INLINE static bool try_enter(JavaThread* thread, Object* object, LockRecord* record) {
    return lock_run_of(thread->lock_runs, object)->object == object && FastPath::try_enter(thread, object, record);
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(JavaThread* thread, Object* object, LockRecord* record) {
    LockRun* run = lock_run_of(thread->lock_runs, object);
    if (run->object != object || run->left == 0) [[unlikely]] return false;
    if (!FastPath::try_exit(thread, object, record)) [[unlikely]] return false;
    --run->left;
    return true;
  }
};

}  // namespace keyhole::sync
