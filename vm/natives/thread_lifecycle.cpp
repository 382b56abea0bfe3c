// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starting and ending java.lang.Threads.
#include "vm/natives/thread_lifecycle.h"

#include <cstdio>

#include "runtime/base/print.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/threads.h"
#include "vm/natives/declarations.h"
#include "vm/natives/support.h"

namespace keyhole::natives {

JavaThread* thread_of(const Object* java_thread) {
  return reinterpret_cast<JavaThread*>(const_cast<Object*>(java_thread)->atomic<i64>(well_known::Thread_eetop).load(std::memory_order_acquire));
}

namespace {

// An exception that a handler itself let out: java names it on stderr and forgets it.
void report_failed_handler(JavaThread* thread) {
  if (!has_exception(thread)) return;
  std::string kind = take_exception(thread)->klass()->name->dotted();
  Object* name = thread->thread_object->get_reference(well_known::Thread_name);
  print_text(stderr, "\nException: {} thrown from the UncaughtExceptionHandler in thread \"{}\"\n", kind,
             name == nullptr ? std::string() : string_to_utf8(name));
}

// Thread.join waits on the Thread object: it must find the thread dead once it is woken.
void announce_end(JavaThread* thread, Handle object) {
  LockRecord* record = &thread->lock_records[thread->lock_record_top++];
  record->object = object.get();
  record->displaced.store(0, std::memory_order_relaxed);
  sync::enter(thread, object, record);
  set_thread_status(thread, JavaThreadStatus::Terminated);
  object->atomic<i64>(well_known::Thread_eetop).store(0, std::memory_order_release);
  sync::notify_all(thread, object);
  sync::exit(thread, object, record);
  record->object = nullptr;
  --thread->lock_record_top;
}

void run_java_thread(JavaThread* thread) {
  // Thread.stop came before start.
  if (thread->thread_object->get<u8>(well_known::Thread_stillborn) == 0) {
    Slot self[] = {slot_of(thread->thread_object)};
    call_java_virtual(thread, well_known::Thread_run, self);
  }
  end_java_thread(thread);
}

}  // namespace

void end_java_thread(JavaThread* thread) {
  HandleScope scope(thread);
  if (thread->thread_object == nullptr) return;
  Handle object = scope.make(thread->thread_object);
  if (has_exception(thread)) {
    Handle exception = scope.make(take_exception(thread));
    Slot arguments[] = {slot_of(object), slot_of(exception)};
    call_java(thread, well_known::Thread_dispatch_uncaught_exception, arguments);
    report_failed_handler(thread);
  }
  // Thread.exit may be interrupted by an asynchronous exception or run out of memory; then it is tried again, as java does.
  for (int attempt = 0; attempt < 5; ++attempt) {
    Slot self[] = {slot_of(object)};
    call_java(thread, well_known::Thread_exit, self);
    if (!has_exception(thread)) break;
    take_exception(thread);
  }
  announce_end(thread, object);
}

// The VM's own Java threads (references, finalizers, signals) are in the system group, the one without a parent; cleaners and what watches
// processes are InnocuousThreads.
static bool is_application_thread(Handle object) {
  for (const Klass* klass = object->klass(); klass != nullptr; klass = klass->super) {
    if (klass->name->text() == "jdk/internal/misc/InnocuousThread") return false;
  }
  Object* group = object->get_reference(well_known::Thread_group);
  return group == nullptr || group->get_reference(well_known::ThreadGroup_parent) != nullptr;
}

void Thread_start0(JavaThread* thread, Handle self) {
  if (self->get<i64>(well_known::Thread_eetop) != 0) {
    throw_message(thread, names::java_lang_IllegalThreadStateException, nullptr);
    return;
  }
  if (sync::runs_one_thread() && is_application_thread(self)) {
    throw_message(thread, names::java_lang_UnsupportedOperationException,
                  "LockingMode=none runs one application thread: nothing would keep a second one out of what the first has locked");
    return;
  }
  i64 stack_bytes = self->get<i64>(well_known::Thread_stack_size);
  bool daemon = self->get<u8>(well_known::Thread_daemon) != 0;
  auto prepare = [](JavaThread* started, void* context) {
    Object* object = static_cast<Handle*>(context)->get();
    started->thread_object = object;
    set_thread_status(started, JavaThreadStatus::Runnable);
    object->atomic<i64>(well_known::Thread_eetop).store(reinterpret_cast<i64>(started), std::memory_order_release);
  };
  JavaThread* started = threads::start(static_cast<usize>(stack_bytes > 0 ? stack_bytes : 0), daemon, false, prepare, &self, run_java_thread);
  if (started == nullptr)
    throw_out_of_memory(thread, "unable to create native thread: possibly out of memory or process/resource limits reached");
}

}  // namespace keyhole::natives
