// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lock under which every class's state moves, and the condition "some class's state has moved".
//
// One for all classes: it is held for a few instructions, and waiting happens only when two threads meet in one class.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// Taken while managed; nothing under it reaches a safepoint.
class ClassStateLock {
 public:
  explicit ClassStateLock(JavaThread* thread);
  ~ClassStateLock();
  // Gives up the lock until some class's state has moved; Blocked meanwhile. Objects may have moved afterwards.
  void wait() MAY_SAFEPOINT;
  void notify_all();
  ClassStateLock(const ClassStateLock&) = delete;
  ClassStateLock& operator=(const ClassStateLock&) = delete;

 private:
  JavaThread* thread_;
};

}  // namespace keyhole
