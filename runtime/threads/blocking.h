// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Java's waits outside of monitors: Thread.sleep, LockSupport.park, interruption, and the status that Thread.getState
// shows meanwhile.
//
// Functions not marked MAY_SAFEPOINT run managed and stay so.
//
// Interruption. The field `interrupted` of the java.lang.Thread is authoritative; Java code sets and clears it.
// JavaThread::interrupted is the hint for Blocked threads, which must not touch objects.
//
//   interrupter                                waiter (managed)             waiter (Blocked)
//   field = true                               hint = false (exchange)      hint set, or permit: wake up,
//   hint = true, unpark both parkers           read the field, then block   become managed, look at the field
//
// R1: the waiter clears the hint before it reads the field: a thread that sets the field after that read sets the hint
// after that clear. A hint without the field (the thread cleared it in between) is a spurious wake-up.
// R2: the field of a virtual thread is cleared by Object.wait, together with its carrier's. Were it cleared here, Java
// would leave the carrier's, and nobody would interrupt a carrier that is interrupted already.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// What this layer needs of the java.lang.Thread behind a JavaThread. Installed by the natives; null in unit tests,
// which have only the fields of JavaThread. Called by managed threads only.
struct JavaView {
  void (*set_status)(JavaThread* target, JavaThreadStatus status) = nullptr;
  bool (*interrupted)(JavaThread* target, bool clear) = nullptr;
  // Of a continuation that Java has made yield: whether it parks. For recordings.
  JavaThreadStatus (*status_of_unmounted)(JavaThread* target) = nullptr;
};
extern JavaView java_view;

constexpr WaitStatistics::Kind wait_kind(JavaThreadStatus status) {
  switch (status) {
    case JavaThreadStatus::BlockedOnMonitorEnter: return WaitStatistics::Kind::blocked;
    case JavaThreadStatus::Sleeping:
    case JavaThreadStatus::InObjectWait: case JavaThreadStatus::InObjectWaitTimed:
    case JavaThreadStatus::Parked: case JavaThreadStatus::ParkedTimed: return WaitStatistics::Kind::waited;
    default: return WaitStatistics::Kind::none;
  }
}

// Managed; for the calling thread or a waiting target.
inline void set_thread_status(JavaThread* target, JavaThreadStatus status) {
  target->wait_statistics.change(wait_kind(status));
  target->status.store(status, std::memory_order_relaxed);
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::thread_state, static_cast<u32>(target->id), 0, static_cast<u32>(status));
  if (java_view.set_status != nullptr) java_view.set_status(target, status);
}

// Sets the status of the calling thread for a while. Managed at both ends. The state of a virtual thread that is
// mounted is, for Java, that of its carrier, so the carrier's follows; it ends when the thread unmounts
// (continuations::run).
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

// True when interrupted, before or during the sleep; the flag has been cleared (the caller throws
// InterruptedException).
[[nodiscard]] bool sleep(JavaThread* thread, i64 nanoseconds) MAY_SAFEPOINT;

// Unsafe.park: returns on a permit, interruption (flag kept), deadline, or spuriously. `time` is relative nanoseconds
// (0 = for ever), or, when absolute, milliseconds since the epoch.
void park(JavaThread* thread, bool is_absolute, i64 time) MAY_SAFEPOINT;
void unpark(JavaThread* target);

// The VM's half of Thread.interrupt (Java has set the field): wakes `target` from sleep, park and Object.wait.
void interrupt(JavaThread* target);
bool is_interrupted(JavaThread* target, bool clear);
// Clears hint and field; true when interrupted (R1, R2). Own thread.
[[nodiscard]] bool take_interrupt(JavaThread* thread);

}  // namespace threads
}  // namespace keyhole
