// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Thread. Starting and ending: thread_lifecycle.cpp.
#include <sched.h>

#include <vector>

#include <algorithm>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/recorded_park.h"
#include "classlib/natives/java.base/lang/stack_trace.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/continuations/virtual_thread_state.h"
#include "runtime/threads/points.h"
#include "runtime/threads/races/races.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::natives {

namespace {

// Updates the state of a virtual thread, which Java keeps itself, after events that Java cannot see, such as the end of
// a wait.
void tell_virtual_thread(JavaThread* target, Object* object, JavaThreadStatus status) TOUCHES_OBJECTS {
  const late::VirtualThread* row = late::found<late::VirtualThread>();
  if (row == nullptr) return;
  using State = VirtualThreadStateOf<HardwareWorld>;
  bool is_waiting = status == JavaThreadStatus::InObjectWait || status == JavaThreadStatus::InObjectWaitTimed;
  bool is_by_itself = target == threads::current_or_null();
  State::follow_status(object->atomic<i32>(row->state), object->atomic<u8>(row->notified), is_waiting, is_by_itself);
  // A mounted virtual thread shows its carrier's state. The carrier leaves that state only when the thread has the
  // lock.
  if (!is_by_itself && continuations::held_locks_pin) set_thread_status(target->carrier->thread, status);
}

}  // namespace

// Runs in Thread's static initialiser, on the main thread. From then on Thread.threadStatus follows the VM's status,
// and Thread.interrupted is the interrupt flag.
void Thread_registerNatives(JavaThread* thread) {
  java_view.set_status = [](JavaThread* target, JavaThreadStatus status) TOUCHES_OBJECTS {
    Object* object = target->thread_object;
    if (object == nullptr) return;
    bool is_virtual = target->continuation != nullptr && target->continuation->is_virtual_thread;
    if (is_virtual) tell_virtual_thread(target, object, status);
    else thread_fields::set_status(object, status);
  };
  java_view.interrupted = [](JavaThread* target, bool clear) TOUCHES_OBJECTS {
    Object* object = target->thread_object;
    if (object == nullptr) return false;
    std::atomic<u8>& flag = object->atomic<u8>(well_known::Thread_interrupted);
    if (flag.load(std::memory_order_seq_cst) == 0) return false;
    if (races::is_on() && target == threads::current_or_null()) [[unlikely]]
      races::acquire(target, object, well_known::Thread_interrupted);
    if (clear) flag.store(0, std::memory_order_seq_cst);
    return true;
  };
  java_view.status_of_unmounted = [](JavaThread* target) TOUCHES_OBJECTS {
    const late::VirtualThread* row = late::found<late::VirtualThread>();
    if (row == nullptr || !target->continuation->is_virtual_thread) return JavaThreadStatus::Runnable;
    switch (target->thread_object->atomic<i32>(row->state).load(std::memory_order_relaxed)) {
      case VirtualThreadStateOf<HardwareWorld>::parking: return JavaThreadStatus::Parked;
      case VirtualThreadStateOf<HardwareWorld>::timed_parking: return JavaThreadStatus::ParkedTimed;
      default: return JavaThreadStatus::Runnable;
    }
  };
  if (thread->status.load(std::memory_order_relaxed) == JavaThreadStatus::New)
    set_thread_status(thread, JavaThreadStatus::Runnable);
}

Object* Thread_currentThread(JavaThread* thread) { return thread->current_object; }
Object* Thread_currentCarrierThread(JavaThread* thread) { return thread->carrier->thread->thread_object; }
// Sets the current thread of the carrier on which this code runs.
void Thread_setCurrentThread(JavaThread* thread, Handle, Handle current) { thread->current_object = current.get(); }

void Thread_yield(JavaThread* thread) {
  BlockedScope blocked(thread);
  hardware::yield();
}

void Thread_sleep(JavaThread* thread, i64 milliseconds) {
  if (milliseconds < 0) {
    throw_message(thread, names::java_lang_IllegalArgumentException, "timeout value is negative");
    return;
  }
  i64 nanoseconds;
  if (__builtin_mul_overflow(milliseconds, i64{1'000'000}, &nanoseconds)) nanoseconds = INT64_MAX;
  record_sleep_if_on(thread);
  bool interrupted = threads::sleep(thread, nanoseconds);
  if (!asynchronous::answer(thread) && interrupted)
    throw_message(thread, names::java_lang_InterruptedException, "sleep interrupted");
}

void Thread_interrupt0(JavaThread* thread, Handle self) {
  JavaThread* target = thread_of(self.get());
  if (target == nullptr) return;
  points::before(thread, controlled::Kind::interrupt, &target->parker);
  threads::interrupt(target);
  sync::interrupt_waiter(target);
  // A virtual thread interrupts its carrier, too, because it may sleep there while it is pinned.
  JavaThread* mounted = target->carrier->current.load(std::memory_order_acquire);
  if (mounted != target) threads::interrupt(mounted);
}

void Thread_clearInterruptEvent(JavaThread* thread) { thread->interrupted.store(false, std::memory_order_seq_cst); }

bool Thread_holdsLock(JavaThread* thread, Handle object) {
  if (object.is_null()) return throw_null_pointer(thread);
  return sync::holds_lock(thread, object.get());
}

// Does nothing: Linux gives ordinary processes no thread priorities, and java ignores them there as well.
void Thread_setPriority0(JavaThread*, Handle, i32) {}

void Thread_setNativeName(JavaThread* thread, Handle self, Handle name) {
  if (name.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  // As in java, only a thread itself sets its OS name; /proc and debuggers show the first 15 bytes.
  if (thread_of(self.get()) != thread) return;
  std::string text = string_to_utf8(name.get());
  text.resize(std::min<usize>(text.size(), 15));
  pthread_setname_np(pthread_self(), text.c_str());
}

// --- what only newer libraries ask for -------------------------------------------------------------------------------

void Thread_sleepNanos0(JavaThread* thread, i64 nanoseconds) {
  record_sleep_if_on(thread);
  bool interrupted = threads::sleep(thread, nanoseconds);
  if (!asynchronous::answer(thread) && interrupted)
    throw_message(thread, names::java_lang_InterruptedException, "sleep interrupted");
}

// The address of the counter for thread ids, which Java increments. The main thread's id is 3, the smallest one.
i64 Thread_getNextThreadIdOffset(JavaThread*) {
  static std::atomic<i64> next{4};
  return static_cast<i64>(reinterpret_cast<uptr>(&next));
}

// Called after a stack overflow has cleared a thread's bindings (vm/link/exceptions.cpp). The bindings in force are the
// first argument of the innermost runWith, which keeps it until it returns.
Object* Thread_findScopedValueBindings(JavaThread* thread) {
  static const Symbol* run_with = Symbol::intern("runWith");
  static const Symbol* carrier = Symbol::intern("java/lang/ScopedValue$Carrier");
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (method->name != run_with) continue;
    const InstanceKlass* holder = method->holder;
    if (holder != well_known::Thread_class && holder->name != carrier) continue;
    if (Object* bindings = object_of(activation.locals()[1])) return bindings;
  }
  return nullptr;
}

Object* Thread_scopedValueCache(JavaThread* thread) { return thread->scoped_value_cache; }
void Thread_setScopedValueCache(JavaThread* thread, Handle cache) { thread->scoped_value_cache = cache.get(); }

// The thread's stack trace. Null: it is not alive.
Object* Thread_getStackTrace0(JavaThread* thread, Handle self) {
  HandleScope scope(thread);
  ThreadFrames trace;
  auto take = [&]() TOUCHES_OBJECTS { trace = shown_frames_of(thread_of(self.get()), scope); };
  safepoint::run(thread, "ThreadDump", take);
  return trace.alive ? make_trace(thread, trace) : nullptr;
}

// --- stop, suspend, resume -------------------------------------------------------------------------------------------

void Thread_stop0(JavaThread* thread, Handle self, Handle throwable) {
  if (thread->thread_object == self.get()) {
    throw_object(thread, throwable.get());
    return;
  }
  bool alive = false;
  auto request = [&]() WORLD_STOPPED {
    if (JavaThread* target = thread_of(self.get())) {
      alive = true;
      asynchronous::request_exception(target, throwable.get());
    } else {
      self->set<u8>(well_known::Thread_stillborn, 1);  // the thread will end as soon as it is started
    }
  };
  safepoint::run(thread, "ThreadStop", request);
  if (!alive) return;
  // As in java the thread is interrupted, so that it wakes up from waiting and passes a poll.
  self->atomic<u8>(well_known::Thread_interrupted).store(1, std::memory_order_seq_cst);
  Thread_interrupt0(thread, self);
}

void Thread_suspend0(JavaThread* thread, Handle self) {
  auto request = [&]() WORLD_STOPPED {
    if (JavaThread* target = thread_of(self.get())) asynchronous::request_suspension(target);
  };
  safepoint::run(thread, "ThreadSuspend", request);
  asynchronous::answer(thread);  // it may have meant itself
}

void Thread_resume0(JavaThread* thread, Handle self) {
  auto request = [&]() WORLD_STOPPED {
    if (JavaThread* target = thread_of(self.get())) asynchronous::request_resumption(target);
  };
  safepoint::run(thread, "ThreadResume", request);
}

// --- all threads -----------------------------------------------------------------------------------------------------

Object* Thread_getThreads(JavaThread* thread) {
  HandleScope scope(thread);
  std::vector<Handle> alive;
  threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
    if (each->vm_internal || each->thread_object == nullptr ||
        each->status.load(std::memory_order_relaxed) == JavaThreadStatus::Terminated)
      return;
    alive.push_back(scope.make(each->thread_object));
  });
  std::reverse(alive.begin(), alive.end());  // the oldest first, as in java
  Object* array = new_reference_array(thread, well_known::Thread_class, static_cast<i32>(alive.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < alive.size(); ++i) barrier::store_element(array, static_cast<i32>(i), alive[i].get());
  return array;
}

// One StackTraceElement[] per thread, all taken at one safepoint. Null for threads that are not alive.
Object* Thread_dumpThreads(JavaThread* thread, Handle java_threads) {
  if (java_threads.is_null()) return throw_null_pointer(thread);
  HandleScope scope(thread);
  i32 count = java_threads->length();
  std::vector<ThreadFrames> traces(static_cast<usize>(count));
  auto take = [&]() TOUCHES_OBJECTS {
    for (i32 i = 0; i < count; ++i)
      if (Object* object = java_threads->reference_at(i))
        traces[static_cast<usize>(i)] = frames_of(thread_of(object), scope);
  };
  safepoint::run(thread, "ThreadDump", take);

  const late::StackTraceElement* row = late::get<late::StackTraceElement>(thread);
  Klass* trace_klass = row == nullptr ? nullptr : array_klass_of(thread, row->klass);
  if (trace_klass == nullptr) return nullptr;
  Object* object = new_reference_array(thread, trace_klass, count);
  if (object == nullptr) return nullptr;
  Handle result = scope.make(object);
  for (i32 i = 0; i < count; ++i) {
    if (!traces[static_cast<usize>(i)].alive) continue;
    Object* trace = make_trace(thread, traces[static_cast<usize>(i)]);
    if (trace == nullptr) return nullptr;
    barrier::store_element(result.get(), i, trace);
  }
  return result.get();
}

}  // namespace keyhole::natives
