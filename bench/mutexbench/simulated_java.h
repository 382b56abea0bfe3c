// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Java part of the simulated machine: threads, objects, lock records, monitors and queue elements, as far as
// locking algorithms need them.
//
// All data that several threads access is in one arena below 4 TiB, which is emptied before each run. So each run has
// the same addresses, the same hashes and the same cache lines. There are no safepoints, and objects do not move.
#pragma once

#include <new>

#include "runtime/base/platform/simulated_world.h"
#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/monitor/object_monitor.h"
#include "runtime/sync/protocol.h"
#include "runtime/threads/lock_counters.h"
#include "runtime/threads/parker.h"

namespace keyhole::mutexbench {

namespace arena {
void clear();
void* allocate(usize bytes, usize alignment);
template <typename T, typename... Arguments> T* make(Arguments&&... arguments) {
  return new (allocate(sizeof(T), alignof(T) < 64 ? 64 : alignof(T))) T(std::forward<Arguments>(arguments)...);
}
}  // namespace arena

struct SimulatedObject {
  u64 header;
};

struct SimulatedRecord {
  SimulatedObject* object;
  SimulatedAtomic<u64> displaced;
};

struct SimulatedMonitor;
struct SimulatedElement;

struct alignas(128) SimulatedThread {
  static constexpr u32 lock_stack_capacity = 8, lock_record_capacity = 64, monitor_cache_capacity = 8;
  u64 id = 0;
  u64 hash_state[2] = {1, 2};
  u32 lock_stack_top = 0;
  SimulatedObject* lock_stack[lock_stack_capacity] = {};
  u32 lock_record_top = 0;
  SimulatedElement* free_elements = nullptr;
  SimulatedElement* held_elements = nullptr;
  u32 adopted_elements = 0;
  SimulatedAtomic<u32> lent_elements{0};
  struct CachedMonitor {
    SimulatedObject* object;
    SimulatedMonitor* monitor;
  } monitor_cache[monitor_cache_capacity] = {};
  LockCounters lock_counters;

  // Other threads write this field, so it is not on the cache line of the owner's data.
  alignas(128) SimulatedAtomic<bool> interrupted{false};
  ParkerOf<SimulatedWorld> monitor_parker;
  SimulatedAtomic<SimulatedMonitor*> waiting_on{nullptr}, blocked_on{nullptr};
  SimulatedAtomic<SimulatedElement*> queued_element{nullptr};
  SimulatedAtomic<i32> bucket_grant{0};

  SimulatedRecord lock_records[lock_record_capacity] = {};
  SimulatedThread* next = nullptr;
};

struct SimulatedJavaWorld : SimulatedWorld {
  using Thread = SimulatedThread;
  using Reference = SimulatedObject*;
  using Root = SimulatedObject**;
  using LockRecord = SimulatedRecord;
  using Monitor = SimulatedMonitor;
  using LockElement = SimulatedElement;
  enum class Status { Runnable, Blocked, Waiting, TimedWaiting };

  static Thread* first_thread;
  static constexpr Status blocked_status = Status::Blocked, waiting_status = Status::Waiting,
                          timed_waiting_status = Status::TimedWaiting;

  static Reference at(Root root) { return *root; }
  static u64* header(Reference reference) { return &reference->header; }
  static bool owns_record(const Thread* thread, const LockRecord* record) {
    return record >= thread->lock_records && record < thread->lock_records + Thread::lock_record_capacity;
  }
  static LockRecord* previous_record(const Thread* thread, LockRecord* record) {
    return record == thread->lock_records ? nullptr : record - 1;
  }
  template <typename Predicate> static bool any_record(const Thread* thread, Predicate predicate) {
    for (u32 i = thread->lock_record_top; i != 0; --i) {
      if (predicate(&thread->lock_records[i - 1])) return true;
    }
    return false;
  }
  template <typename Visit> static void for_each_thread(Visit visit) {
    for (Thread* thread = first_thread; thread != nullptr; thread = thread->next) visit(thread);
  }
  template <typename Visit> static void for_each_thread_in_collection(Visit visit) { for_each_thread(visit); }
  // Leaving the managed state costs a store, and returning to it a store and a fence (thread_state.h). The stores are
  // to a cache line that only this thread uses.
  struct BlockedScope {
    explicit BlockedScope(Thread*, Where where = Where::current()) : where_(where) {}
    ~BlockedScope() { fence(where_); }
    Where where_;
  };
  struct StatusScope {
    StatusScope(Thread*, Status) {}
    ~StatusScope() {}
  };
  static void set_status(Thread*, Status) {}
  static bool safepoint_pending(Thread*) { return false; }
  static bool take_interrupt(Thread*) { return false; }
  static bool is_suspended(const Thread*) { return false; }
  static void park(Thread* thread, i64 nanoseconds, Where where = Where::current()) {
    CallerScope scope(where);
    thread->monitor_parker.park(nanoseconds);
  }
  static bool leaves_processor(const Thread*) {
    const SimulatedMachine* machine = SimulatedMachine::current();
    return machine != nullptr && machine->are_threads_virtual();
  }
  static void park_in_place(Thread* thread, i64 nanoseconds, Where where = Where::current()) {
    park(thread, nanoseconds, where);
  }
  static void unpark(Thread* thread, Where where = Where::current()) {
    CallerScope scope(where);
    thread->monitor_parker.unpark();
  }
  static void count(Thread* thread, LockCounter counter, u64 amount = 1) { thread->lock_counters.add(counter, amount); }
  // Objects are allocated in the arena on separate cache lines, so that false sharing does not depend on malloc.
  template <typename T, typename... Arguments> static T* allocate(Arguments&&... arguments) {
    return arena::make<T>(std::forward<Arguments>(arguments)...);
  }
  template <typename T> static void retire(T* memory) { memory->~T(); }
  static Monitor* allocate_monitor();
  static void free_monitor(Monitor*) {}
  static constexpr u32 most_adopted_elements = 64;  // as in the VM
  static void* allocate_element() { return arena::allocate(sync::lock_element_bytes, sync::lock_element_bytes); }
  static void free_element(void*) {}
  static void on_inflated(Reference, u64, sync::InflationCause) {}
  static void on_deflated(Reference, const Monitor*) {}
  // The algorithms' steps are not recorded here (runtime/sync/picture/notes.h).
  static void note(const Thread*, sync::picture::Change, u64, u64 = 0) {}
  static constexpr bool notes_snippets = false;
  static constexpr bool counts_acquisitions = true;  // of monitors, for adaptive succession
  static void note_of(Reference, sync::picture::Change, u64) {}
  static u64 moment() { return 0; }
  struct NotedObject {
    NotedObject(Thread*, Reference) {}
    ~NotedObject() {}
  };
};

// The settings of simulated monitors: those of the VM's flags, except that spinning is always adaptive and quanta are
// shorter (simulated.cpp).
struct SimulatedMonitorPolicy {
  static inline sync::MonitorSettings chosen;  // set at the beginning of the run
  static const sync::MonitorSettings& settings() { return chosen; }
};
struct SimulatedMonitor : sync::ObjectMonitorOf<SimulatedJavaWorld, SimulatedMonitorPolicy> {};
struct SimulatedElement : sync::LockElementOf<SimulatedJavaWorld> {};
inline SimulatedMonitor* SimulatedJavaWorld::allocate_monitor() { return arena::make<SimulatedMonitor>(); }

static_assert(ThreadedWorld<SimulatedJavaWorld>);
static_assert(sizeof(SimulatedMonitor) == 128, "as the VM's: two cache lines");

}  // namespace keyhole::mutexbench
