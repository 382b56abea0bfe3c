// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The dispatcher thread: waits for a caught signal, dumps or calls Java.
#include "vm/launcher/signals.h"

#include <csignal>
#include <cstdio>

#include "gc/heap.h"
#include "runtime/base/flags.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/thread_state.h"
#include "vm/launcher/heap_inspection.h"
#include "vm/launcher/thread_dump.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"
#include "vm/natives/signal.h"

namespace keyhole {

namespace {

// A java.lang.Thread in the system group, priority 9, daemon; null: an exception is pending.
Object* make_thread_object(JavaThread* thread) {
  using namespace well_known;
  constexpr i32 priority = 9;
  HandleScope scope(thread);
  Object* group = thread->thread_object->get_reference(Thread_group);
  Field* parent = find_field(ThreadGroup_class, Symbol::intern("parent"), Symbol::intern("Ljava/lang/ThreadGroup;"));
  if (parent != nullptr && group->get_reference(parent->offset) != nullptr) group = group->get_reference(parent->offset);
  Handle system_group = scope.make(group);
  Handle name = scope.make(make_string(thread, "Signal Dispatcher"));
  if (!name) return nullptr;
  Handle object = scope.make(heap::allocate_instance(thread, Thread_class));
  if (!object) {
    throw_out_of_memory(thread, "Java heap space");
    return nullptr;
  }
  Method* constructor = find_method(Thread_class, names::object_initializer, Symbol::intern("(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"));
  Slot arguments[] = {slot_of(object), slot_of(system_group), slot_of(name)};
  call_java(thread, constructor, arguments);
  if (has_exception(thread)) return nullptr;
  object->set<i32>(Thread_priority, priority);
  object->set<u8>(Thread_daemon, 1);
  // What Thread.start does for others.
  Method* add = find_method(ThreadGroup_class, Symbol::intern("add"), Symbol::intern("(Ljava/lang/Thread;)V"));
  if (add != nullptr) {
    Slot member[] = {slot_of(system_group), slot_of(object)};
    call_java(thread, add, member);
    if (has_exception(thread)) return nullptr;
  }
  return object.get();
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

void dispatch_signals(JavaThread* thread) {
  for (;;) {
    i32 number;
    {
      BlockedScope blocked(thread);
      number = natives::wait_for_signal();
    }
    bool print_histogram = false;
    if (number == SIGQUIT) {
      std::string text = thread_dump(thread);
      NativeScope native(thread);   // stdout may be a full pipe
      fwrite(text.data(), 1, text.size(), stdout);
      fflush(stdout);
      print_histogram = flags::PrintClassHistogram;
    } else {
      dispatch_to_java(thread, number);
    }
    if (print_histogram) print_class_histogram(thread);
    report_and_forget_exception(thread);
  }
}

}  // namespace

bool start_signal_dispatcher(JavaThread* thread) {
  HandleScope scope(thread);
  Handle object = scope.make(make_thread_object(thread));
  if (!object) return false;
  auto prepare = [](JavaThread* started, void* context) {
    Object* java_thread = static_cast<Handle*>(context)->get();
    started->thread_object = java_thread;
    set_thread_status(started, JavaThreadStatus::Runnable);
    java_thread->atomic<i64>(well_known::Thread_eetop).store(reinterpret_cast<i64>(started), std::memory_order_release);
  };
  if (threads::start(0, true, false, prepare, &object, dispatch_signals) == nullptr)
    return throw_out_of_memory(thread, "unable to create native thread: possibly out of memory or process/resource limits reached");
  // Signals are directed to the dispatcher only when there is one.
  natives::catch_signal(SIGQUIT);
  return true;
}

}  // namespace keyhole
