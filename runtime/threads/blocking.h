// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Java's waits outside of monitors: Thread.sleep, LockSupport.park, interruption, and the status that Thread.getState
// shows meanwhile.
//
// Functions that are not marked MAY_SAFEPOINT are called by managed threads, which stay managed.
//
// Interruption. The field `interrupted` of the java.lang.Thread is authoritative; Java code sets and clears it.
// JavaThread::interrupted is the hint for Blocked threads, which must not touch objects.
//
//   interrupter                                waiter (managed)             waiter (Blocked)
//   field = true                               hint = false (exchange)      hint set, or permit: wake up,
//   hint = true, unpark both parkers           read the field, then block   become managed, look at the field
//
// R1: the waiter clears the hint before it reads the field. So an interrupter that sets the field after that read also
//     sets the hint after it was cleared. If Java clears the field but the hint stays set, the waiter wakes up
//     spuriously.
// R2: Object.wait in Java clears the field of a virtual thread, together with its carrier's. If the VM cleared it, Java
//     would leave the carrier's field set, and a carrier whose field is set is not interrupted again.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// The functions by which this folder reads and writes the java.lang.Thread of a JavaThread. The natives install them;
// in unit tests they are null, and only the fields of JavaThread are used. Called by managed threads only.
struct JavaView {
  void (*set_status)(JavaThread* target, JavaThreadStatus status) = nullptr;
  bool (*interrupted)(JavaThread* target, bool clear) = nullptr;
  // Returns whether a continuation that Java code has unmounted is parked or merely yields. For recordings.
  JavaThreadStatus (*status_of_unmounted)(JavaThread* target) = nullptr;
};
extern JavaView java_view;

constexpr WaitStatistics::Kind wait_kind(JavaThreadStatus status) {
  switch (status) {
    case JavaThreadStatus::BlockedOnMonitorEnter: return WaitStatistics::Kind::blocked;
    case JavaThreadStatus::Sleeping:
    case JavaThreadStatus::InObjectWait:
    case JavaThreadStatus::InObjectWaitTimed:
    case JavaThreadStatus::Parked:
    case JavaThreadStatus::ParkedTimed: return WaitStatistics::Kind::waited;
    default: return WaitStatistics::Kind::none;
  }
}

// Sets the status of `target` in the VM and in its java.lang.Thread. The caller is managed. `target` is the calling
// thread, or a thread that cannot set its status itself at this moment, such as a thread in Object.wait.
inline void set_thread_status(JavaThread* target, JavaThreadStatus status) {
  target->wait_statistics.change(wait_kind(status));
  target->status.store(status, std::memory_order_relaxed);
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::thread_state, static_cast<u32>(target->id), 0, static_cast<u32>(status));
  if (java_view.set_status != nullptr) java_view.set_status(target, status);
}

// Sets the status of the calling thread until the scope ends. The thread is managed when the scope begins and when it
// ends. Java takes the state of a mounted virtual thread from its carrier, so the carrier's status is set, too. When
// the thread unmounts, continuations::run resets the carrier's status.
class StatusScope {
 public:
  StatusScope(JavaThread* thread, JavaThreadStatus status)
      : thread_(thread), before_(thread->status.load(std::memory_order_relaxed)) {
    if (thread->continuation != nullptr) continuations::note_sleep(thread, status);
    set(status);
  }
  ~StatusScope() { set(before_); }
  StatusScope(const StatusScope&) = delete;
  StatusScope& operator=(const StatusScope&) = delete;

 private:
  void set(JavaThreadStatus status) {
    set_thread_status(thread_, status);
    if (thread_->continuation != nullptr) set_thread_status(thread_->carrier->thread, status);
  }

  JavaThread* thread_;
  JavaThreadStatus before_;
};

namespace threads {

// Puts the thread to sleep for `nanoseconds`. Returns true if the thread was interrupted before or during the sleep;
// the interruption has then been cleared, and the caller throws InterruptedException.
[[nodiscard]] bool sleep(JavaThread* thread, i64 nanoseconds) MAY_SAFEPOINT;

// Does the work of Unsafe.park. Returns when the thread has a permit, when it is interrupted (it stays interrupted), at
// the deadline, or spuriously. If `is_absolute` is false, `time` is a duration in nanoseconds, and 0 means for ever. If
// `is_absolute` is true, `time` is a deadline in milliseconds since the epoch.
void park(JavaThread* thread, bool is_absolute, i64 time) MAY_SAFEPOINT;
void unpark(JavaThread* target);

// The VM's half of Thread.interrupt: wakes `target` from sleep, park and Object.wait. Java has already set the field
// `interrupted` of the java.lang.Thread.
void interrupt(JavaThread* target);
bool is_interrupted(JavaThread* target, bool clear);
// Returns whether the thread was interrupted. Clears JavaThread::interrupted and, except in a virtual thread, the field
// `interrupted` of the java.lang.Thread (R1, R2). Called by the thread itself.
[[nodiscard]] bool take_interrupt(JavaThread* thread);

}  // namespace threads
}  // namespace keyhole
