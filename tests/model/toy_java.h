// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ToyJava: Java threads and objects over a machine whose threads are fibers. They are as small as the protocols of
// runtime/sync allow: a thread has the members of JavaThread that protocols use, and an object has a header of the
// layout's width and a number.
//
// A machine is a World with further functions: park and unpark by thread number, memory, and safe regions. Machines are
// CheckedMachine, the simulated machine, and ToyVirtual, which also receives the status that Java sees.
//
// T1: fiber i runs Java thread i. If the machine has virtual threads (toy_virtual.h), continuation i runs it.
// T2: a thread is safe in scenario code, as it is in native code. A lock operation makes the thread managed while the
//     operation lasts (lock_under_test.h); a BlockedScope in the operation makes it safe again. While the world is
//     stopped, objects move, and their old places are poisoned.
#pragma once

#include <new>
#include <source_location>

#include "runtime/base/check.h"
#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/monitor/object_monitor.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::model {

inline constexpr u32 toy_threads = 8, toy_objects = 8, toy_records = 16, toy_elements = 64;

struct ToyObject {
  layout::Word header;
  u32 number;
  u32 stored_hash = 0;  // a hash that has no room in the header; set by a move (toy_identity.cpp)
};

// `Settings` has a type `MonitorPolicy`, which is different for each subject, so that several versions of one protocol
// can live in one program.
template <typename Machine, typename Settings> struct ToyJava : Machine {
  using W = ToyJava;
  using Where = std::source_location;
  template <typename T> using Atomic = typename Machine::template Atomic<T>;

  struct Monitor;
  struct LockElement;
  using Reference = ToyObject*;
  struct Root {
    Reference* slot;
  };
  struct LockRecord {
    Reference object = nullptr;
    Atomic<u64> displaced{0};
  };

  struct Thread {
    static constexpr u32 lock_stack_capacity = Settings::lock_stack_capacity;
    static constexpr u32 monitor_cache_capacity = 8;
    u64 id = 0;
    u32 number = 0;
    u32 lock_stack_top = 0;
    Reference lock_stack[lock_stack_capacity] = {};
    LockRecord lock_records[toy_records];
    u32 lock_record_top = 0;
    u32 noted_object = 0;  // 1 plus the number of the object whose operation is running; 0: none
    u64 hash_state[2] = {};
    LockElement* free_elements = nullptr;
    LockElement* held_elements = nullptr;
    u32 adopted_elements = 0;
    struct CachedMonitor {
      Reference object;
      Monitor* monitor;
    } monitor_cache[monitor_cache_capacity] = {};
    Atomic<bool> interrupted{false};
    Atomic<u32> suspended{0};
    Atomic<LockElement*> queued_element{nullptr};
    Atomic<i32> bucket_grant{0};
    // Only dumps and counts use this number. No decision depends on it.
    std::atomic<u32> lent_elements{0};
    std::atomic<Monitor*> waiting_on{nullptr};
    std::atomic<Monitor*> blocked_on{nullptr};
    LockCounters lock_counters;
  };

  static constexpr u32 all_young = ~u32{0};
  // One execution's Java heap and threads.
  struct State {
    u32 thread_count = 0, object_count = 0;
    Thread* threads[toy_threads] = {};
    Reference roots[toy_objects] = {};
    u32 monitors = 0, elements = 0;  // how many monitors and elements are allocated and not freed
    LockElement* all_elements[toy_elements] = {};
    u32 young = all_young;  // the objects that a collection moves, as a set of numbers
    bool suspends = false;  // whether the scenario suspends threads; otherwise no thread checks for a suspension
  };
  inline static State* state = nullptr;

  static void begin(u32 thread_count, u32 object_count) {
    state = Machine::template allocate<State>();
    state->thread_count = thread_count;
    state->object_count = object_count;
    for (u32 i = 0; i < thread_count; ++i) {
      Thread* thread = new (Machine::allocate_bytes(sizeof(Thread), 64)) Thread;
      thread->number = i;
      thread->id = 10 + i;
      thread->hash_state[0] = 0x1234567 * (i + 1);
      thread->hash_state[1] = 0x89ABCDEF * (i + 3);
      state->threads[i] = thread;
      Machine::name(thread, sizeof(Thread), "thread ", 'A' + static_cast<int>(i));
    }
    for (u32 i = 0; i < object_count; ++i) state->roots[i] = new_object(layout::prototype_word(77), i);
  }
  static Reference new_object(layout::Word header, u32 number) {
    Reference object =
        new (Machine::allocate_bytes(sizeof(ToyObject), 16)) ToyObject{.header = header, .number = number};
    Machine::name(object, sizeof(ToyObject), "object ", 'x' + static_cast<int>(number));
    return object;
  }

  // --- functions that protocols call (runtime/base/platform/world.h) -------------------------------------------------
  static Reference at(Root root) { return *root.slot; }
  static layout::Word* header(Reference reference) { return &reference->header; }
  // Always returns false. A pending safepoint would only end a spin. The end of a spin is explored anyway, because spin
  // budgets run out.
  static bool safepoint_pending(Thread*) { return false; }
  static void count(Thread* thread, LockCounter counter, u64 amount = 1) { thread->lock_counters.add(counter, amount); }
  static bool owns_record(const Thread* thread, const LockRecord* record) {
    return record >= thread->lock_records && record < thread->lock_records + toy_records;
  }
  static LockRecord* previous_record(const Thread* thread, LockRecord* record) {
    return record == thread->lock_records ? nullptr : record - 1;
  }
  template <typename Predicate> static bool any_record(const Thread* thread, Predicate predicate) {
    for (u32 i = thread->lock_record_top; i != 0; --i) {
      if (predicate(const_cast<const LockRecord*>(&thread->lock_records[i - 1]))) return true;
    }
    return false;
  }
  template <typename Visit> static void for_each_thread(Visit visit) {
    for (u32 i = 0; i < state->thread_count; ++i) visit(state->threads[i]);
  }
  // Visits the threads that a collection must visit: all of them, or those that refer to young objects.
  template <typename Visit> static void for_each_thread_in_collection(Visit visit) {
    for_each_thread([&](Thread* thread) {
      if (state->young == all_young || refers_to_young(thread)) visit(thread);
    });
  }
  static bool is_young(Reference object) { return (state->young >> object->number & 1) != 0; }
  static bool refers_to_young(const Thread* thread) {
    bool found = false;
    auto look_at = [&found](Reference object) { found |= object != nullptr && is_young(object); };
    for (u32 i = 0; i < thread->lock_stack_top; ++i) look_at(thread->lock_stack[i]);
    for (u32 i = 0; i < thread->lock_record_top; ++i) look_at(thread->lock_records[i].object);
    for (LockElement* held = thread->held_elements; held != nullptr; held = held->next_of_lender.get())
      look_at(held->object.load(std::memory_order_relaxed));
    if (LockElement* queued = thread->queued_element.load(std::memory_order_relaxed))
      look_at(queued->object.load(std::memory_order_relaxed));
    return found;
  }

  class BlockedScope {
   public:
    explicit BlockedScope(Thread*, Where where = Where::current()) : where_(where) { Machine::become_safe(); }
    ~BlockedScope() { Machine::become_managed(where_); }

   private:
    Where where_;
  };
  enum class JavaStatus { Runnable, Blocked, Waiting, TimedWaiting };
  static constexpr JavaStatus blocked_status = JavaStatus::Blocked, waiting_status = JavaStatus::Waiting,
                              timed_waiting_status = JavaStatus::TimedWaiting;
  static void set_status(Thread* thread, JavaStatus status) {
    if constexpr (requires { Machine::note_status(0u, true); })
      Machine::note_status(thread->number, is_waiting(status));
  }
  struct StatusScope {
    StatusScope(Thread* thread, JavaStatus status) : thread_(thread) { set_status(thread, status); }
    ~StatusScope() { set_status(thread_, JavaStatus::Runnable); }
    Thread* thread_;
  };
  static bool is_waiting(JavaStatus status) {
    return status == JavaStatus::Waiting || status == JavaStatus::TimedWaiting;
  }
  static bool take_interrupt(Thread* thread, Where where = Where::current()) {
    return thread->interrupted.exchange(false, std::memory_order_seq_cst, where);
  }
  static bool is_suspended(Thread* thread, Where where = Where::current()) {
    return state->suspends && thread->suspended.load(std::memory_order_seq_cst, where) != 0;
  }
  static void stay_while_suspended(Thread* thread, Where where = Where::current()) {
    while (is_suspended(thread, where)) {
      StatusScope status(thread, blocked_status);
      BlockedScope blocked(thread, where);
      park(thread, forever, where);
    }
  }
  static void park(Thread* thread, i64 nanoseconds, Where where = Where::current()) {
    Machine::park_thread(thread->number, nanoseconds, where);
  }
  static void park_in_place(Thread* thread, i64 nanoseconds, Where where = Where::current()) {
    if constexpr (requires { Machine::park_thread_in_place(0u, nanoseconds, where); })
      Machine::park_thread_in_place(thread->number, nanoseconds, where);
    else park(thread, nanoseconds, where);
  }
  static bool leaves_processor(const Thread*) {
    return requires { Machine::unmounts; };
  }
  static void unpark(Thread* thread, Where where = Where::current()) { Machine::unpark_thread(thread->number, where); }

  static Monitor* allocate_monitor() {
    Monitor* monitor = new (Machine::allocate_bytes(sizeof(Monitor), 128)) Monitor;
    Machine::name(monitor, sizeof(Monitor), "monitor ", '1' + static_cast<int>(state->monitors++));
    // The checker allows races on spin_budget and used_lately. Such a race costs time, but does no harm.
    Machine::mark_hint(&monitor->spin_budget);
    Machine::mark_hint(&monitor->used_lately);
    return monitor;
  }
  static void free_monitor(Monitor* monitor) {
    --state->monitors;
    Machine::release_bytes(monitor, sizeof(Monitor));
  }
  static void* allocate_element() {
    void* slot = Machine::allocate_bytes(sync::lock_element_bytes, sync::lock_element_bytes);
    Machine::name(slot, sync::lock_element_bytes, "element ", '1' + static_cast<int>(state->elements));
    if (state->elements < toy_elements) state->all_elements[state->elements] = static_cast<LockElement*>(slot);
    ++state->elements;
    return slot;
  }
  // Visits all allocated elements, also elements that no lock uses any more.
  template <typename Visit> static void for_each_element(Visit visit) {
    for (u32 i = 0; i < state->elements && i < toy_elements; ++i) visit(state->all_elements[i]);
  }
  static void free_element(void* slot) {
    --state->elements;
    Machine::release_bytes(slot, sync::lock_element_bytes);
  }
  static constexpr u32 most_adopted_elements = Settings::most_adopted_elements;
  static constexpr u32 monitors_between_polls = Settings::monitors_between_polls,
                       deflations_between_handshakes = Settings::deflations_between_handshakes;
  template <typename Cause> static void on_inflated(Reference, u64, Cause) {}
  static void on_deflated(Reference, const Monitor*) {}

  // Steps of locks (runtime/sync/picture/notes.h), reported to a machine that has a listener.
  static constexpr bool notes =
      requires(sync::picture::Change change) { Machine::noted(0u, u64{0}, change, u64{0}, false); };
  static void note(const Thread* thread, sync::picture::Change change, u64 subject, u64 = 0) {
    if constexpr (notes) {
      if (thread->noted_object != 0) Machine::noted(thread->noted_object - 1, thread->id, change, subject, false);
    }
  }
  static constexpr bool notes_snippets = notes;
  static constexpr bool counts_acquisitions = false;  // the regimes of a checked lock depend on no counts (regime.h)
  static void note_in_snippet(const Thread* thread, sync::picture::Change change) {
    if constexpr (notes) {
      if (thread->noted_object != 0) Machine::noted(thread->noted_object - 1, thread->id, change, thread->id, true);
    }
  }
  static void note_of(Reference reference, sync::picture::Change change, u64 subject) {
    if constexpr (notes) {
      if (reference != nullptr) Machine::noted(reference->number, 0, change, subject, false);
    }
  }
  static u64 moment() { return 0; }
  class NotedObject {
   public:
    NotedObject(Thread* thread, Reference object) : thread_(thread) {
      thread->noted_object = object == nullptr ? 0 : object->number + 1;
    }
    ~NotedObject() { thread_->noted_object = 0; }

   private:
    Thread* thread_;
  };
};

template <typename Machine, typename Settings>
struct ToyJava<Machine, Settings>::Monitor
    : sync::ObjectMonitorOf<ToyJava<Machine, Settings>, typename Settings::MonitorPolicy> {};
template <typename Machine, typename Settings>
struct ToyJava<Machine, Settings>::LockElement : sync::LockElementOf<ToyJava<Machine, Settings>> {};

}  // namespace keyhole::model
