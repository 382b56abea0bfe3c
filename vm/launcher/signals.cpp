// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The dispatcher thread: waits, becomes a Java thread when needed, dumps or calls Java.
#include "vm/launcher/signals.h"

#include <pthread.h>

#include <csignal>
#include <cstdio>

#include "gc/heap.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/stacks.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/thread_state.h"
#include "vm/launcher/thread_dump.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"
#include "vm/natives/signal.h"

namespace keyhole {

namespace {

Handle system_group;   // a global handle

// The java.lang.Thread of the dispatcher; false: an exception is pending.
bool make_thread_object(JavaThread* thread) {
  using namespace well_known;
  constexpr i32 priority = 9;
  HandleScope scope(thread);
  Handle name = scope.make(make_string(thread, "Signal Dispatcher"));
  if (!name) return false;
  Object* object = heap::allocate_instance(thread, Thread_class);
  if (object == nullptr) return throw_out_of_memory(thread, "Java heap space");
  // The constructor asks the current thread, which is this one, for priority and daemon.
  object->set<i64>(Thread_eetop, reinterpret_cast<i64>(thread));
  object->set<i32>(Thread_priority, priority);
  object->set<u8>(Thread_daemon, 1);
  thread->thread_object = object;
  set_thread_status(thread, JavaThreadStatus::Runnable);
  Method* constructor = find_method(Thread_class, names::object_initializer, Symbol::intern("(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"));
  Slot arguments[] = {slot_of(object), slot_of(system_group), slot_of(name)};
  call_java(thread, constructor, arguments);
  return !has_exception(thread);
}

void dispatch_to_java(JavaThread* thread, i32 number) {
  Klass* signal = find_loaded_class(Symbol::intern("jdk/internal/misc/Signal"), boot_loader());
  if (signal == nullptr) return;
  Method* dispatch = find_method(signal, Symbol::intern("dispatch"), Symbol::intern("(I)V"));
  if (dispatch == nullptr) return;
  Slot arguments[] = {slot_of(number)};
  call_java(thread, dispatch, arguments);
}

void report_and_forget_exception(JavaThread* thread) {
  if (!has_exception(thread)) return;
  HandleScope scope(thread);
  print_throwable(thread, scope.make(take_exception(thread)));
}

void* dispatcher(void*) {
  JavaThread* thread = nullptr;
  for (;;) {
    i32 number;
    if (thread == nullptr) {
      number = natives::wait_for_signal();
      thread = threads::attach_current(true, false, 0);
      if (thread == nullptr) continue;   // no memory for a stack: nothing can be run
      if (!make_thread_object(thread)) report_and_forget_exception(thread);
    } else {
      BlockedScope blocked(thread);
      number = natives::wait_for_signal();
    }
    if (number == SIGQUIT) {
      std::string text = thread_dump(thread);
      NativeScope native(thread);   // stdout may be a full pipe
      fwrite(text.data(), 1, text.size(), stdout);
      fflush(stdout);
    } else {
      dispatch_to_java(thread, number);
    }
    report_and_forget_exception(thread);
  }
  return nullptr;
}

}  // namespace

void start_signal_dispatcher(JavaThread* thread) {
  Object* group = thread->thread_object->get_reference(well_known::Thread_group);
  Field* parent = find_field(well_known::ThreadGroup_class, Symbol::intern("parent"), Symbol::intern("Ljava/lang/ThreadGroup;"));
  if (parent != nullptr && group->get_reference(parent->offset) != nullptr) group = group->get_reference(parent->offset);
  system_group = GlobalHandles::make(group);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stacks::native_stack_bytes(stacks::java_stack_bytes(0)));
  pthread_t os_thread;
  // Signals are directed to the dispatcher only when there is one.
  if (pthread_create(&os_thread, &attributes, dispatcher, nullptr) == 0) natives::catch_signal(SIGQUIT);
  pthread_attr_destroy(&attributes);
}

}  // namespace keyhole
