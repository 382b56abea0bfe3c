// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads of C code become threads of Java.
#include "classlib/natives/java.base/foreign/callers.h"

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/support.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/threads.h"

namespace keyhole::natives {

namespace {

constexpr i32 usual_priority = 5;

// Its constructor asks for the current thread: that is the object itself, with what a parent must have.
bool make_thread_object(JavaThread* thread, Handle group) MAY_SAFEPOINT {
  using namespace well_known;
  Object* object = heap::allocate_instance(thread, Thread_class);
  if (object == nullptr) return false;
  object->set<i64>(Thread_eetop, reinterpret_cast<i64>(thread));
  if (Thread_priority != 0) object->set<i32>(Thread_priority, usual_priority);
  thread->thread_object = thread->current_object = object;
  Method* constructor = find_method(Thread_class, names::object_initializer,
                                    Symbol::intern("(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V"));
  Slot arguments[] = {slot_of(object), slot_of(group), slot_of(static_cast<Object*>(nullptr))};
  call_java(thread, constructor, arguments);
  if (has_exception(thread)) return false;
  thread_fields::set_daemon(thread->thread_object);
  set_thread_status(thread, JavaThreadStatus::Runnable);
  return true;
}

// The end of an OS thread that was attached here.
struct Attachment {
  JavaThread* thread = nullptr;
  ~Attachment() {
    if (thread == nullptr) return;
    {
      thread_state::enter_managed(thread);
      end_java_thread(thread);
    }
    threads::detach(thread);
  }
};

}  // namespace

JavaThread* attach_caller(Handle group) {
  static thread_local Attachment attachment;
  JavaThread* thread = threads::attach_current(/*daemon=*/true, /*vm_internal=*/false, 0);
  if (thread == nullptr) return nullptr;
  thread_state::assert_managed(thread);  // as attach_current leaves it
  if (!make_thread_object(thread, group)) {
    if (has_exception(thread)) take_exception(thread);
    threads::detach(thread);
    return nullptr;
  }
  attachment.thread = thread;
  thread_state::leave_managed(thread, ThreadState::InNative);
  return thread;
}

}  // namespace keyhole::natives
