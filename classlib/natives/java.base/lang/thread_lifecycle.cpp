// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends java.lang.Threads.
#include "classlib/natives/java.base/lang/thread_lifecycle.h"

#include <cstdio>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/base/print.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/points.h"
#include "runtime/threads/races/races.h"
#include "runtime/threads/threads.h"
#include "vm/frames/application_place.h"
#include "vm/link/debugger.h"
#include "vm/link/exceptions.h"

namespace keyhole::natives {

JavaThread* thread_of(const Object* java_thread) {
  auto& eetop = const_cast<Object*>(java_thread)->atomic<i64>(well_known::Thread_eetop);
  JavaThread* thread = reinterpret_cast<JavaThread*>(eetop.load(std::memory_order_acquire));
  // The field may be read even if the thread has ended: a reused structure has the same kind as before.
  if (thread == nullptr || thread->continuation == nullptr) return thread;
  return reinterpret_cast<JavaThread*>(threads::look_up(eetop));
}

namespace {

// Handles an exception that a handler has thrown: java prints it on stderr and drops it.
void report_failed_handler(JavaThread* thread) TOUCHES_OBJECTS {
  if (!has_exception(thread)) return;
  std::string kind = take_exception(thread)->klass()->name->dotted();
  Object* name = thread->thread_object->get_reference(well_known::Thread_name);
  print_text(stderr, "\nException: {} thrown from the UncaughtExceptionHandler in thread \"{}\"\n", kind,
             name == nullptr ? std::string() : string_to_utf8(name));
}

// Who sees that the thread has ended sees what it did: by isAlive or getState, or by join, which takes the monitor.
void release_end(JavaThread* thread, Object* object) TOUCHES_OBJECTS {
  races::release(thread, object, well_known::Thread_eetop);
  if (const Object* place = thread_fields::place_of(object))
    races::release(thread, place, thread_fields::status_offset());
}

// Marks the thread as ended before it notifies: Thread.join waits on the Thread object, and must find the thread dead
// when it wakes up.
void announce_end(JavaThread* thread, Handle object) MAY_SAFEPOINT {
  if (races::is_on()) [[unlikely]]
    races::set_leaving(thread, false);
  LockRecord* record = &thread->lock_records[thread->lock_record_top++];
  record->object = object.get();
  record->displaced.store(0, std::memory_order_relaxed);
  sync::enter(thread, object, record);
  points::note(thread, controlled::Kind::volatile_write, object->address<char>(well_known::Thread_eetop));
  if (races::is_on()) [[unlikely]]
    release_end(thread, object.get());
  set_thread_status(thread, JavaThreadStatus::Terminated);
  threads::count_out(thread);
  object->atomic<i64>(well_known::Thread_eetop).store(0, std::memory_order_release);
  sync::notify_all(thread, object);
  sync::exit(thread, object, record);
  record->object = nullptr;
  --thread->lock_record_top;
}

void run_java_thread(JavaThread* thread) MAY_SAFEPOINT {
  if (const DebuggerHooks* hooks = debugger.load(std::memory_order_acquire)) [[unlikely]]
    hooks->thread_started(thread);
  if (recorder::is_recording()) [[unlikely]]
    name_in_recording(thread);
  // True if Thread.stop was called before start.
  if (races::is_on()) [[unlikely]]
    races::thread_begins(thread);
  bool is_stillborn =
      well_known::Thread_stillborn != 0 && thread->thread_object->get<u8>(well_known::Thread_stillborn) != 0;
  if (!is_stillborn) {
    Slot self[] = {slot_of(thread->thread_object)};
    call_java_virtual(thread, well_known::Thread_run, self);
  }
  end_java_thread(thread);
}

}  // namespace

void name_in_recording(const JavaThread* thread) {
  if (thread->thread_object == nullptr)
    return recorder::name_thread(static_cast<u32>(thread->id), thread->vm_name != nullptr ? thread->vm_name : "");
  Object* name = thread->thread_object->get_reference(well_known::Thread_name);
  if (name != nullptr) recorder::name_thread(static_cast<u32>(thread->id), string_to_utf8(name));
}

// Tells the explorer of an exception that nobody caught.
static void note_failure(Object* exception, Object* java_thread) TOUCHES_OBJECTS {
  std::string text = exception->klass()->name->dotted();
  if (Object* message = exception->get_reference(well_known::Throwable_detail_message))
    text += ": " + string_to_utf8(message);
  std::string place;
  for (i32 i = 0;; ++i) {
    BacktraceEntry entry = backtrace_entry(exception, i);
    if (entry.method == nullptr) break;
    if (place.empty() || !entry.method->holder->is_boot) place = place_text(entry.method, entry.bci);
    if (!entry.method->holder->is_boot) break;
  }
  Object* name = java_thread->get_reference(well_known::Thread_name);
  std::string where = fmt::format("{}, {}", name == nullptr ? "null" : string_to_utf8(name), place);
  controlled::fail(text.c_str(), where.c_str());
}

void end_java_thread(JavaThread* thread) {
  HandleScope scope(thread);
  if (thread->thread_object == nullptr) return;
  Handle object = scope.make(thread->thread_object);
  if (has_exception(thread)) {
    Handle exception = scope.make(take_exception(thread));
    if (controlled::is_exploring()) note_failure(exception.get(), object.get());
    Slot arguments[] = {slot_of(object), slot_of(exception)};
    call_java(thread, well_known::Thread_dispatch_uncaught_exception, arguments);
    report_failed_handler(thread);
  }
  if (races::is_on()) [[unlikely]]
    races::set_leaving(thread, true);
  // An asynchronous exception may interrupt Thread.exit, or memory may run out. Then it is tried again, as in java.
  for (int attempt = 0; attempt < 5; ++attempt) {
    Slot self[] = {slot_of(object)};
    call_java(thread, well_known::Thread_exit, self);
    if (!has_exception(thread)) break;
    take_exception(thread);
  }
  if (const DebuggerHooks* hooks = debugger.load(std::memory_order_acquire)) [[unlikely]]
    hooks->thread_ended(thread);
  if (recorder::is_recording()) [[unlikely]]
    name_in_recording(thread);
  announce_end(thread, object);
}

// The constructor reads fields of the current thread, which is the new object itself: it gets the fields that a parent
// has.
bool become_java_thread(JavaThread* thread, Handle group, const char* name) {
  using namespace well_known;
  constexpr i32 usual_priority = 5;
  HandleScope scope(thread);
  Handle text = scope.make(name == nullptr ? nullptr : make_string(thread, name));
  Object* object = heap::allocate_instance(thread, Thread_class);
  if (object == nullptr || (name != nullptr && !text)) return false;
  object->set<i64>(Thread_eetop, reinterpret_cast<i64>(thread));
  if (Thread_priority != 0) object->set<i32>(Thread_priority, usual_priority);
  thread->thread_object = thread->current_object = object;
  const char* parameters = name == nullptr ? "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V"
                                           : "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
  Slot arguments[] = {slot_of(object), slot_of(group), slot_of(text)};
  call_java(thread, find_method(Thread_class, names::object_initializer, Symbol::intern(parameters)), arguments);
  if (has_exception(thread)) return false;
  set_thread_status(thread, JavaThreadStatus::Runnable);
  // In Java 17 a group has a list of its threads. For other threads Thread.start adds them.
  if (Method* add = find_method(ThreadGroup_class, Symbol::intern("add"), Symbol::intern("(Ljava/lang/Thread;)V"))) {
    Slot added[] = {slot_of(group), slot_of(thread->thread_object)};
    call_java(thread, add, added);
  }
  return !has_exception(thread);
}

// The VM's own Java threads (references, finalizers, signals) are in the system group, the one without a parent;
// cleaners and process watchers are InnocuousThreads.
static bool is_application_thread(Handle object) TOUCHES_OBJECTS {
  for (const Klass* klass = object->klass(); klass != nullptr; klass = klass->super) {
    if (klass->name->text() == "jdk/internal/misc/InnocuousThread" && klass->loader->is_boot()) return false;
  }
  Object* group = thread_fields::group(object.get());
  return group == nullptr || group->get_reference(well_known::ThreadGroup_parent) != nullptr;
}

// --- threads of the VM -----------------------------------------------------------------------------------------------

namespace {

// Sets the thread's fields before it is in the list, because from then on it is alive for Java.
void prepare_started(JavaThread* started, void* context) TOUCHES_OBJECTS {
  Object* object = static_cast<Handle*>(context)->get();
  started->thread_object = started->current_object = object;
  set_thread_status(started, JavaThreadStatus::Runnable);
  object->atomic<i64>(well_known::Thread_eetop).store(reinterpret_cast<i64>(started), std::memory_order_release);
}

constexpr const char* no_native_thread =
    "unable to create native thread: possibly out of memory or process/resource limits reached";

// Makes the Thread object. Null: an exception is pending.
Object* make_thread_object(JavaThread* thread, std::string_view text, bool is_hidden) MAY_SAFEPOINT {
  using namespace well_known;
  constexpr i32 priority = 9;
  HandleScope scope(thread);
  Object* group = thread_fields::group(thread->thread_object);
  while (Object* parent = group->get_reference(ThreadGroup_parent)) group = parent;
  Handle system_group = scope.make(group);
  Handle name = scope.make(make_string(thread, text));
  if (!name) return nullptr;
  // It is null while the VM boots.
  Handle system_loader = scope.make(ClassLoader_class->mirror->get_reference(ClassLoader_system_loader));
  Handle object = scope.make(heap::allocate_instance(thread, Thread_class));
  if (!object) {
    throw_out_of_memory(thread, "Java heap space");
    return nullptr;
  }
  Method* constructor = find_method(Thread_class, names::object_initializer,
                                    Symbol::intern("(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"));
  Slot arguments[] = {slot_of(object), slot_of(system_group), slot_of(name)};
  call_java(thread, constructor, arguments);
  if (has_exception(thread)) return nullptr;
  // Without this it would inherit the class loader of an arbitrary starter, and keep it alive for ever.
  barrier::store(object.get(), Thread_context_class_loader, system_loader.get());
  if (Thread_inherited_access_control_context != 0)
    barrier::store(object.get(), Thread_inherited_access_control_context, nullptr);
  barrier::store(object.get(), Thread_inheritable_thread_locals, nullptr);
  thread_fields::set_priority(object.get(), priority);
  thread_fields::set_daemon(object.get());
  if (is_hidden) return object.get();
  // Adds the thread to its group, as Thread.start does for other threads.
  Method* add = find_method(ThreadGroup_class, Symbol::intern("add"), Symbol::intern("(Ljava/lang/Thread;)V"));
  if (add != nullptr) {
    Slot member[] = {slot_of(system_group), slot_of(object)};
    call_java(thread, add, member);
    if (has_exception(thread)) return nullptr;
  }
  return object.get();
}

}  // namespace

bool start_vm_thread(JavaThread* thread, std::string_view name, void (*body)(JavaThread*), bool is_hidden) {
  HandleScope scope(thread);
  Handle object = scope.make(make_thread_object(thread, name, is_hidden));
  if (!object) return false;
  JavaThread* started = threads::start(0, /*daemon=*/true, /*vm_internal=*/is_hidden, prepare_started, &object, body);
  return started != nullptr || throw_out_of_memory(thread, no_native_thread);
}

void Thread_start0(JavaThread* thread, Handle self) {
  if (self->get<i64>(well_known::Thread_eetop) != 0) {
    throw_message(thread, names::java_lang_IllegalThreadStateException, nullptr);
    return;
  }
  if (sync::runs_one_thread() && is_application_thread(self)) {
    throw_message(thread, names::java_lang_UnsupportedOperationException,
                  "LockingMode=none runs one application thread: nothing would keep a second one out of what the first "
                  "has locked");
    return;
  }
  i64 stack_bytes = thread_fields::stack_size(self.get());
  bool daemon = thread_fields::is_daemon(self.get());
  if (races::is_on()) [[unlikely]]
    races::release(thread, self.get(), races::of_start);
  JavaThread* started = threads::start(static_cast<usize>(stack_bytes > 0 ? stack_bytes : 0), daemon, false,
                                       prepare_started, &self, run_java_thread);
  if (started == nullptr) throw_out_of_memory(thread, no_native_thread);
  if (controlled::is_on()) {
    if (!is_application_thread(self)) controlled::mark_last_as_system();
    points::note_start(thread);
  }
}

}  // namespace keyhole::natives
