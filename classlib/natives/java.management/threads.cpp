// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.management.ThreadImpl: times, allocated bytes, deadlocks. States and stacks: thread_info.cpp.
#include "runtime/threads/threads.h"
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/java.management/support.h"
#include "runtime/threads/safepoint.h"

namespace keyhole::natives {

namespace {

constexpr i64 not_alive = -1;

// Calls measure(thread) for the thread with this id (0: the caller). Returns not_alive if there is none.
template <typename Measure> i64 of_thread(JavaThread* thread, i64 id, Measure measure) {
  if (id == 0) return measure(thread);
  i64 result = not_alive;
  threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
    bool is_alive =
        each->thread_object != nullptr && each->status.load(std::memory_order_relaxed) != JavaThreadStatus::Terminated;
    if (is_alive && each->thread_object->get<i64>(well_known::Thread_tid) == id) result = measure(each);
  });
  return result;
}

// Does the same for all `ids` and stores the results in `values`. Elements of dead threads do not change.
template <typename Measure>
void of_threads(JavaThread* thread, Handle ids, Handle values, Measure measure) MAY_SAFEPOINT {
  if (ids.is_null() || values.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  for (i32 i = 0; i < ids->length(); ++i) {
    i64 value = of_thread(thread, ids->elements<i64>()[i], measure);
    if (value != not_alive) values->elements<i64>()[i] = value;
  }
}

// For another thread this is a snapshot, because its TLAB may be replaced meanwhile.
i64 allocated_bytes(const JavaThread* thread) {
  const char* start = thread->tlab_start;
  const char* top = thread->tlab_top;
  i64 in_buffer = top > start ? top - start : 0;
  constexpr i64 largest_buffer = i64{8} << 20;
  return static_cast<i64>(thread->allocated_bytes) + (in_buffer <= largest_buffer ? in_buffer : 0);
}

// Makes an array of all threads in deadlocks, or null if there are none.
Object* deadlocked(JavaThread* thread, bool monitors_only) MAY_SAFEPOINT {
  HandleScope scope(thread);
  std::vector<Handle> found;
  WaitNames names = wait_names();
  auto find = [&]() TOUCHES_OBJECTS {
    for (const auto& cycle : find_cycles(names, monitors_only))
      for (const Wait& wait : cycle) found.push_back(scope.make(wait.thread->thread_object));
  };
  safepoint::run(thread, "FindDeadlocks", find);
  if (found.empty()) return nullptr;
  Object* array = new_reference_array(thread, well_known::Thread_class, static_cast<i32>(found.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < found.size(); ++i) barrier::store_element(array, static_cast<i32>(i), found[i].get());
  return array;
}

}  // namespace

Object* ThreadImpl_getThreads(JavaThread* thread) { return Thread_getThreads(thread); }

// --- times and bytes -------------------------------------------------------------------------------------------------
// Kernel and heap count these values anyway. Switching the measurement off (ThreadMXBean's setters) only changes the
// library's results.

namespace {
std::atomic<bool> is_cpu_time_enabled{true}, is_allocated_memory_enabled{true};
}

i64 ThreadImpl_getThreadTotalCpuTime0(JavaThread* thread, i64 id) { return of_thread(thread, id, cpu_nanoseconds); }
i64 ThreadImpl_getThreadUserCpuTime0(JavaThread* thread, i64 id) { return of_thread(thread, id, user_nanoseconds); }
i64 ThreadImpl_getThreadAllocatedMemory0(JavaThread* thread, i64 id) { return of_thread(thread, id, allocated_bytes); }
void ThreadImpl_getThreadTotalCpuTime1(JavaThread* thread, Handle ids, Handle values) {
  of_threads(thread, ids, values, cpu_nanoseconds);
}
void ThreadImpl_getThreadUserCpuTime1(JavaThread* thread, Handle ids, Handle values) {
  of_threads(thread, ids, values, user_nanoseconds);
}
void ThreadImpl_getThreadAllocatedMemory1(JavaThread* thread, Handle ids, Handle values) {
  of_threads(thread, ids, values, allocated_bytes);
}

i64 ThreadImpl_getTotalThreadAllocatedMemory(JavaThread*) {
  i64 sum = threads::allocated_bytes_of_ended();
  threads::for_each_platform_thread([&](JavaThread* each) { sum += allocated_bytes(each); });
  return sum;
}

void ThreadImpl_setThreadCpuTimeEnabled0(JavaThread*, bool value) {
  is_cpu_time_enabled.store(value, std::memory_order_relaxed);
}
void ThreadImpl_setThreadAllocatedMemoryEnabled0(JavaThread*, bool value) {
  is_allocated_memory_enabled.store(value, std::memory_order_relaxed);
}
bool VMManagementImpl_isThreadCpuTimeEnabled(JavaThread*, Handle) {
  return is_cpu_time_enabled.load(std::memory_order_relaxed);
}
bool VMManagementImpl_isThreadAllocatedMemoryEnabled(JavaThread*, Handle) {
  return is_allocated_memory_enabled.load(std::memory_order_relaxed);
}

// --- contention ------------------------------------------------------------------------------------------------------

void ThreadImpl_setThreadContentionMonitoringEnabled0(JavaThread*, bool value) {
  WaitStatistics::is_timed.store(value, std::memory_order_relaxed);
}
bool VMManagementImpl_isThreadContentionMonitoringEnabled(JavaThread*, Handle) {
  return WaitStatistics::is_timed.load(std::memory_order_relaxed);
}

void ThreadImpl_resetContentionTimes0(JavaThread* thread, i64 id) {
  auto forget = [&] {
    threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
      if (id == 0 || (each->thread_object != nullptr && each->thread_object->get<i64>(well_known::Thread_tid) == id))
        each->wait_statistics.forget_times();
    });
  };
  safepoint::run(thread, "ResetContentionTimes", forget);
}

void ThreadImpl_resetPeakThreadCount0(JavaThread*) { threads::forget_peak(); }

Object* ThreadImpl_findMonitorDeadlockedThreads0(JavaThread* thread) {
  return deadlocked(thread, /*monitors_only=*/true);
}
Object* ThreadImpl_findDeadlockedThreads0(JavaThread* thread) { return deadlocked(thread, /*monitors_only=*/false); }

}  // namespace keyhole::natives
