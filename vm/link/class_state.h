// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lock for the states of all classes, and the condition "some class's state has changed".
//
// One lock serves all classes, because it is held for a few instructions, and threads wait only when two of them need
// the same class.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// Acquired while the thread is managed. A holder reaches no safepoint, except in wait().
class ClassStateLock {
 public:
  explicit ClassStateLock(JavaThread* thread);
  ~ClassStateLock();
  // Releases the lock until some class's state has changed. The thread is Blocked meanwhile, so objects may have moved
  // afterwards.
  void wait() MAY_SAFEPOINT;
  void notify_all();
  ClassStateLock(const ClassStateLock&) = delete;
  ClassStateLock& operator=(const ClassStateLock&) = delete;

 private:
  JavaThread* thread_;
};

}  // namespace keyhole
