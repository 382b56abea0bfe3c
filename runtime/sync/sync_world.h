// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SyncWorld: JavaWorld with monitors. The VM instantiates the templates of this folder over SyncWorld; the model
// checker has its own world with the same names.
#pragma once

#include "runtime/recorder/recorder.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/monitor/object_monitor.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/sync/status.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/java_world.h"

namespace keyhole {

namespace sync {

struct SyncWorld : JavaWorld {
  using Monitor = keyhole::ObjectMonitor;
  using LockElement = keyhole::LockElement;
  using StatusScope = keyhole::StatusScope;
  static void set_status(Thread* thread, JavaThreadStatus status) { set_thread_status(thread, status); }
  // Sleeps while the thread is suspended. The thread's Java status is BLOCKED meanwhile, because the thread queues for
  // the lock.
  static void stay_while_suspended(Thread* thread) MAY_SAFEPOINT {
    StatusScope status(thread, blocked_status);
    asynchronous::sleep_while_suspended(thread);
  }
  static bool take_interrupt(Thread* thread) { return threads::take_interrupt(thread); }
  static constexpr JavaThreadStatus blocked_status = JavaThreadStatus::BlockedOnMonitorEnter;
  static constexpr JavaThreadStatus waiting_status = JavaThreadStatus::InObjectWait;
  static constexpr JavaThreadStatus timed_waiting_status = JavaThreadStatus::InObjectWaitTimed;

  // Allocates a monitor below 4 TiB, so that a header can point at it. Returns null when memory is exhausted
  // (monitor_pool.cpp).
  static Monitor* allocate_monitor();
  static void free_monitor(Monitor* monitor);
  // Allocates lock_element_bytes below 4 TiB. Returns null when memory is exhausted (lock_element_pool.cpp).
  static void* allocate_element();
  static void free_element(void* slot);

  static constexpr u32 most_adopted_elements = 64;  // lock_element.h R4: 8 KiB

  // Limits of a deflation pass (monitor_list.h). monitors_between_polls bounds the time that a safepoint waits for the
  // pass. A pass frees deflated monitors only after a handshake. Due to deflations_between_handshakes, at most 2 MiB of
  // deflated monitors wait for a handshake.
  static constexpr u32 monitors_between_polls = 512, deflations_between_handshakes = 16384;

  // Called for each inflation and deflation, for -Xlog:monitorinflation and recordings.
  static void on_inflated(Object* object, u64 header_word, InflationCause cause);
  static void on_deflated(const Object* object_or_null, const Monitor* monitor);

  // Notes for the pictures of recordings (runtime/sync/picture/notes.h). Implemented in recorded.cpp.
  static bool notes() { return recorder::is_on(recorder::Family::locks); }
  static void note(const Thread* thread, picture::Change change, u64 subject, u64 moment = 0) {
    if (notes()) [[unlikely]]
      record_step(thread, change, subject, moment);
  }
  static constexpr bool notes_snippets = false;
  static constexpr bool counts_acquisitions = true;  // for adaptive succession (regime.h)
  static void note_of(const Object KEYHOLE_HEAP* object, picture::Change change, u64 subject) {
    if (notes()) [[unlikely]]
      record_step_of(object, change, subject);
  }
  static u64 moment() { return notes() ? recorder::now() : 0; }
  class NotedObject {
   public:
    NotedObject(Thread* thread, const Object KEYHOLE_HEAP* object) : thread_(thread) {
      if (notes()) [[unlikely]]
        note_object(thread, object);
    }
    NotedObject(Thread* thread, u32 number) : thread_(thread) { thread->noted_object = number; }
    ~NotedObject() { thread_->noted_object = 0; }
    NotedObject(const NotedObject&) = delete;
    NotedObject& operator=(const NotedObject&) = delete;

   private:
    Thread* thread_;
  };

 private:
  static void record_step(const Thread* thread, picture::Change change, u64 subject, u64 moment);
  static void record_step_of(const Object KEYHOLE_HEAP* object, picture::Change change, u64 subject);
  static void note_object(Thread* thread, const Object KEYHOLE_HEAP* object);
};

}  // namespace sync

struct ObjectMonitor : sync::ObjectMonitorOf<sync::SyncWorld, sync::FlagPolicy> {};
struct LockElement : sync::LockElementOf<sync::SyncWorld> {};

namespace sync {
static_assert(ThreadedWorld<SyncWorld>);
static_assert(sizeof(ObjectMonitor) == 128, "two cache lines: what look-ups read, what owners write");
}  // namespace sync

}  // namespace keyhole
