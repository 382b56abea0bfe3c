// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting that Java asks for outside of monitors: Thread.sleep, LockSupport.park, interruption, and the status that
// Thread.getState shows meanwhile.
//
// All but StatusScope, unpark and interrupt can reach a safepoint. Interruption has two halves: the flag is set first, then both
// parkers are unparked; whoever waits re-reads the flag after each wake-up.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// Sets the status for a while. Owner only.
class StatusScope {
 public:
  StatusScope(JavaThread* thread, JavaThreadStatus status) : thread_(thread), before_(thread->status.load(std::memory_order_relaxed)) {
    thread->status.store(status, std::memory_order_relaxed);
  }
  void change(JavaThreadStatus status) { thread_->status.store(status, std::memory_order_relaxed); }
  ~StatusScope() { thread_->status.store(before_, std::memory_order_relaxed); }
  StatusScope(const StatusScope&) = delete;
  StatusScope& operator=(const StatusScope&) = delete;

 private:
  JavaThread* thread_;
  JavaThreadStatus before_;
};

namespace threads {

// True when interrupted, before or during the sleep; the flag has been cleared (the caller throws InterruptedException).
[[nodiscard]] bool sleep(JavaThread* thread, i64 nanoseconds);

// Unsafe.park: returns on a permit, interruption (flag kept), deadline, or spuriously. `time` is relative nanoseconds (0 = for ever), or,
// when absolute, milliseconds since the epoch.
void park(JavaThread* thread, bool is_absolute, i64 time);
void unpark(JavaThread* target);

// Thread.interrupt: sets the flag and wakes `target` from sleep, park and Object.wait.
void interrupt(JavaThread* target);
bool is_interrupted(JavaThread* target, bool clear);

}  // namespace threads
}  // namespace keyhole
