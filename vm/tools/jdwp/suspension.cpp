// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the suspension counts by thread id. Thread ids are never reused.
#include "vm/tools/jdwp/suspension.h"

#include <unordered_map>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/stopped_world.h"
#include "runtime/threads/threads.h"
#include "vm/tools/jdwp/object_ids.h"

namespace keyhole::jdwp::suspension {
namespace {

// Number of times that all threads were suspended together. It is the initial count of a new thread (S3).
i32 count_of_all GUARDED_BY(MUTATOR) = 0;
// Suspension counts by thread id. They change only while the world is stopped, so a managed thread may read them
// between two safepoint polls.
std::unordered_map<u64, i32>& counts() TOUCHES_OBJECTS {
  static auto* made = new std::unordered_map<u64, i32>();  // outlives every static destructor
  return *made;
}

void add(JavaThread* target, i32 count) WORLD_STOPPED {
  if (count > 0 && (counts()[target->id] += count) == count) asynchronous::request_suspension(target);
}

void subtract(JavaThread* target) WORLD_STOPPED {
  auto place = counts().find(target->id);
  if (place == counts().end() || --place->second > 0) return;
  counts().erase(place);
  asynchronous::request_resumption(target);
}

template <typename Change> void change(JavaThread* thread, const char* name, Change operation) MAY_SAFEPOINT {
  safepoint::run(thread, name, operation);
}

// Visits platform threads, including carriers, and virtual threads that have begun.
template <typename Visit> void for_each_suspendable(Visit visit) WORLD_STOPPED {
  threads::for_each([&](JavaThread* each) WORLD_STOPPED {
    if (is_visible(each) && (each->continuation == nullptr || each->continuation->is_virtual_thread)) visit(each);
  });
}

JavaThread* target_of(u64 thread_object_id) TOUCHES_OBJECTS {
  Object* object = object_ids::find(thread_object_id).object;
  return object == nullptr ? nullptr : natives::thread_of(object);
}

}  // namespace

bool is_visible(const JavaThread* target) {
  return !target->vm_internal && target->thread_object != nullptr &&
         target->status.load(std::memory_order_relaxed) != JavaThreadStatus::Terminated;
}

i32 count_of(const JavaThread* target) {
  safepoint::assert_world_stopped();
  auto place = counts().find(target->id);
  return place == counts().end() ? 0 : place->second;
}

void suspend_all(JavaThread* thread) {
  change(thread, "DebuggerSuspend", []() WORLD_STOPPED {
    ++count_of_all;
    for_each_suspendable([](JavaThread* each) WORLD_STOPPED { add(each, 1); });
  });
}

void resume_all(JavaThread* thread) {
  change(thread, "DebuggerResume", []() WORLD_STOPPED {
    if (count_of_all > 0) --count_of_all;
    for_each_suspendable([](JavaThread* each) WORLD_STOPPED { subtract(each); });
  });
}

void suspend(JavaThread* thread, u64 thread_object_id) {
  change(thread, "DebuggerSuspend", [&]() WORLD_STOPPED {
    JavaThread* target = target_of(thread_object_id);
    if (target != nullptr && is_visible(target)) add(target, 1);
  });
}

void resume(JavaThread* thread, u64 thread_object_id) {
  change(thread, "DebuggerResume", [&]() WORLD_STOPPED {
    if (JavaThread* target = target_of(thread_object_id)) subtract(target);
  });
}

void forget_all(JavaThread* thread) {
  change(thread, "DebuggerResume", []() WORLD_STOPPED {
    count_of_all = 0;
    for_each_suspendable([](JavaThread* each) WORLD_STOPPED {
      if (counts().contains(each->id)) asynchronous::request_resumption(each);
    });
    counts().clear();
  });
}

// Stops the world only if a count must change. Stopping all threads whenever a thread begins or ends would take time
// quadratic in the number of threads. Until the caller's next safepoint poll, no count can change, so this test stays
// valid.
void started(JavaThread* thread) {
  if (count_of_all == 0) return;
  change(thread, "DebuggerSuspend", [thread]() WORLD_STOPPED { add(thread, count_of_all - count_of(thread)); });
}

void ended(JavaThread* thread) {
  if (!counts().contains(thread->id)) return;
  change(thread, "DebuggerResume", [thread]() WORLD_STOPPED {
    if (counts().erase(thread->id) != 0) asynchronous::request_resumption(thread);
  });
}

void suspend_self(JavaThread* thread) {
  change(thread, "DebuggerSuspend", [thread]() WORLD_STOPPED { add(thread, 1); });
}

void stay(JavaThread* thread) { asynchronous::sleep_while_suspended(thread); }

}  // namespace keyhole::jdwp::suspension
