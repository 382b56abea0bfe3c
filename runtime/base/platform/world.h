// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// World: the operations of the machine that a concurrent protocol may use. Each protocol is a template over a World,
// written once.
//
//   world       atomics are            a thread is      time            who runs it
//   hardware    std::atomic            an OS thread     CLOCK_MONOTONIC the VM (hardware_world.h, java_world.h)
//   checked     scheduling points      a fiber          virtual         the model checker
//   simulated   costed cache lines     a fiber          virtual         the scaling experiments
//
// What a protocol gets from its World W
//
//   W::Atomic<T>              a shared cell: the interface of std::atomic<T>, always with an explicit order
//   W::Plain<T>               a cell protected by a lock or by ownership: get(), set(v); the checker reports races on
//                             it
//   W::load/store/cas         words of the Java heap: free functions on KEYHOLE_HEAP pointers, because members of
//                             std::atomic cannot be called in another address space
//   W::expect_write(word)     a hint: the heap word will be read and then changed by cas, so its cache line may come in
//                             one transfer instead of two
//   W::fence()                orders earlier stores before later loads (StoreLoad)
//   W::spin_until(cell, predicate, budget)
//                             re-reads the cell with PAUSE until predicate(value) holds or the budget of reads is used
//                             up; true when it held. There is no bare PAUSE loop anywhere: it would not terminate in
//                             the checker
//   W::wait_on(cell, expected, nanoseconds) / W::wake(cell, count)
//                             a futex: sleeps while the cell holds `expected`; may return spuriously
//   W::yield()                a hint: lets a thread that waits for this processor run first
//   W::now_nanoseconds()      monotonic
//   W::random()               64 bits, for decisions of a policy, never for results
//   W::processors()           how many threads can run at the same time
//   W::current_thread_token() the running thread as a number; never 0
//   W::allocate<T>(...) / W::retire<T>(p)
//                             VM memory; retired memory is not reused before every thread has passed a safepoint poll
//   W::Mutex                  lock(), unlock(), try_lock(): for code that is not under study
//
// Worlds that also have Java threads and objects (runtime/threads/java_world.h, runtime/sync/sync_world.h for the real
// ones)
//
//   W::Thread                 members id, lock_stack, lock_stack_top, lock_stack_capacity, hash_state, blocked_on,
//                             waiting_on, free_elements, held_elements, lent_elements, adopted_elements,
//                             queued_element, bucket_grant, monitor_cache, interrupted, lock_records, lock_record_top
//                             (row none only) as in JavaThread. Never null, type-stable
//   W::Reference              an object's address now; W::Root: one that survives safepoints, W::at(root) its address
//   W::header(reference)      its header word, a heap word
//   W::LockRecord             a frame's record of one level: object, Atomic<u64> displaced; its address fits a
//                             displacing header
//   W::owns_record(thread, record)   the record lies in that thread's record stack
//   W::previous_record(thread, record)
//                             the record below, null for the first: a nested level of the same object is often just
//                             above the outer one
//   W::any_record(thread, predicate)
//                             whether predicate(record) holds for one of the thread's records, newest first; empty ones
//                             have no object. The newest of an object's records exits first
//   W::for_each_thread(visit) only with the world stopped, or for answers that may be stale
//   W::for_each_thread_in_collection(visit)
//                             in update_references: may leave out threads that hold, queue for and wait on nothing but
//                             objects that stay where they are, and that have not run since their last visit
//   W::BlockedScope(thread)   inside, the thread touches no objects: safepoints do not wait for it
//   W::StatusScope(thread, status), W::set_status(thread, status)
//                             the status that Java sees: W::blocked_status, waiting_status, timed_waiting_status
//   W::safepoint_pending(thread)
//   W::take_interrupt(thread) reads and clears the flag
//   W::is_suspended(thread) / W::stay_while_suspended(thread)
//                             Thread.suspend and debuggers: by the thread itself; the second returns once it is resumed
//   W::park(thread, nanoseconds) / W::unpark(thread)
//                             the thread's own monitor parker: one permit, may return spuriously
//   W::leaves_processor(thread)
//                             a hint: while it is parked its processor runs other threads of Java, without the system;
//                             so parking is cheap, and a holder may have left its processor, too
//   W::park_in_place(thread, nanoseconds)
//                             the same for a thread that must run on as soon as it is unparked, because others wait for
//                             it to leave an inner lock: what carries it sleeps with it
//   W::count(thread, LockCounter, amount)
//   W::Monitor, W::allocate_monitor() / W::free_monitor(monitor)
//                             ObjectMonitors, below 4 TiB; null when memory is exhausted
//   W::LockElement            derived from LockElementOf<W> (runtime/sync/algorithms/lock_element.h): the type of the
//                             elements that thread->free_elements links
//   W::most_adopted_elements  how many elements a thread may adopt before it shares them (lock_element.h R4)
//   W::allocate_element() / W::free_element(slot)
//                             raw slots of lock_element_bytes, aligned so, below 4 TiB; null when memory is exhausted
//   W::on_inflated(reference, header, cause) / W::on_deflated(reference, monitor)
//   W::note(thread, change, subject, moment), W::notes_snippets, W::note_in_snippet(thread, change),
//   W::note_of(reference, change, subject), W::moment(), W::NotedObject(thread, reference)
//                             steps of a lock for its picture (runtime/sync/picture/notes.h)
#pragma once

#include <atomic>
#include <concepts>

#include "runtime/base/capabilities.h"
#include "runtime/base/types.h"

// Pointers into the Java heap; in address space 1 where KEYHOLE_SNIPPETS is defined.
#ifdef KEYHOLE_SNIPPETS
#define KEYHOLE_HEAP __attribute__((address_space(1)))
#else
#define KEYHOLE_HEAP
#endif
// For fast paths, which are inlined in debug builds, too, so that interpreter handlers keep their registers.
#define KEYHOLE_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace keyhole {

enum class Order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

inline constexpr i64 forever = -1;  // the timeout of a wait without a limit

template <typename W>
concept World = requires(u64 KEYHOLE_HEAP* word, typename W::template Atomic<i32>& cell, u64 value) {
  typename W::template Plain<u64>;
  typename W::Mutex;
  { W::load(word, Order::acquire) } -> std::same_as<u64>;
  { W::cas(word, value, value, Order::acquire) } -> std::same_as<u64>;
  W::store(word, value, Order::release);
  W::expect_write(word);
  W::fence();
  {
    W::spin_until(cell, [](i32 seen) { return seen != 0; }, 1u)
  } -> std::same_as<bool>;
  W::wait_on(cell, 0, forever);
  W::wake(cell, 1);
  W::yield();
  { W::now_nanoseconds() } -> std::same_as<i64>;
  { W::random() } -> std::same_as<u64>;
  { W::processors() } -> std::same_as<u32>;
  { W::current_thread_token() } -> std::same_as<u64>;
};

template <typename W>
concept ThreadedWorld = World<W> && requires(typename W::Thread* thread, typename W::Reference reference,
                                             typename W::Root root, const typename W::LockRecord* record) {
  typename W::BlockedScope;
  { W::at(root) } -> std::same_as<typename W::Reference>;
  { W::load(W::header(reference), Order::acquire) } -> std::unsigned_integral;
  { W::owns_record(thread, record) } -> std::same_as<bool>;
  { W::safepoint_pending(thread) } -> std::same_as<bool>;
  W::park(thread, forever);
  W::park_in_place(thread, forever);
  W::unpark(thread);
};

}  // namespace keyhole
