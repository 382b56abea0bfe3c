// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RecordedFastPath: an algorithm's snippet while locks are recorded. It serves the objects whose pairs the thread
// coalesces (coalescing.h), and leaves all others to the slow path, which records them.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::sync {

template <typename FastPath> struct RecordedFastPath {
  KEYHOLE_ALWAYS_INLINE static bool try_enter(JavaThread* thread, Object* object, LockRecord* record) {
    return coalesced_pairs_of(thread->coalesced_pairs, object)->object == object &&
           FastPath::try_enter(thread, object, record);
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(JavaThread* thread, Object* object, LockRecord* record) {
    CoalescedPairs* counted = coalesced_pairs_of(thread->coalesced_pairs, object);
    if (counted->object != object || counted->left == 0) [[unlikely]]
      return false;
    if (!FastPath::try_exit(thread, object, record)) [[unlikely]]
      return false;
    --counted->left;
    return true;
  }
};

}  // namespace keyhole::sync
