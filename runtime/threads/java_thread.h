// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// JavaThread: the data of one Java thread. It is not an OS thread (carrier.h), so code passes it as an argument, and
// keeps no thread_local of it across an operation that may block. A JavaThread is a platform thread, which has a
// carrier of its own, or a continuation (continuation.h), which has one while it is mounted.
//
// States (runtime/threads/thread_state.h has the transitions as scopes)
//
//   state     may touch the heap   a safepoint
//   InJava    yes                  waits until the thread polls
//   InVM      yes                  waits until the thread polls, blocks or returns
//   InNative  no                   does not wait; the thread stops when it comes back
//   Blocked   no                   does not wait; the thread stops when it comes back
//
// Fields are grouped by the threads that may write them.
#pragma once

#include <atomic>
#include <string>

#include "runtime/base/types.h"
#include "runtime/object/object.h"
#include "runtime/threads/coalesced_pairs.h"
#include "runtime/threads/continuations/carrier.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/lock_counters.h"
#include "runtime/threads/parker.h"
#include "runtime/threads/thread_stack.h"
#include "runtime/threads/wait_statistics.h"

namespace keyhole {

struct Continuation;
struct HandleBlock;
struct LockElement;
struct ObjectMonitor;

enum class ThreadState : u32 { New, InJava, InVM, InNative, Blocked, Terminated };

// The states of java.lang.Thread.State. The numbers are JVMTI's thread state bits, as Java keeps them in
// Thread.threadStatus and shows them in Thread.getState() and in thread dumps.
enum class JavaThreadStatus : i32 {
  New = 0,
  Runnable = 0x5,
  Sleeping = 0xE1,
  InObjectWait = 0x191,
  InObjectWaitTimed = 0x1A1,
  Parked = 0x291,
  ParkedTimed = 0x2A1,
  BlockedOnMonitorEnter = 0x401,
  Terminated = 0x2,
};

// One entry of the record stack: an object that a frame of this thread has locked, by monitorenter or by a call of a
// synchronized method. The object is a GC root. The address of the entry is stable, so a locking algorithm with
// displaced headers may point the object's header at it.
struct LockRecord {
  Object* object;
  // A word for the locking algorithm: a displaced header or a cached monitor. It is 0 if the algorithm does not use it,
  // and in all entries above the top of the stack.
  std::atomic<u64> displaced;
};

struct alignas(64) JavaThread {
  static constexpr u32 lock_stack_capacity = 8;

  // --- read on every poll; written by the safepoint coordinator and handshakers, read by the owner -------------------
  // (The safepoint and handshake bits are copies of the carrier's requests.)
  std::atomic<u32> poll{0};                          // if this is not 0, a poll calls safepoint::poll_slow(this)
  std::atomic<ThreadState> state{ThreadState::New};  // written by this thread, read by the coordinator of a safepoint
  // The limit that method entries compare with: stack.java_limit, or null, which makes them poll (safepoint_protocol.h
  // R6).
  std::atomic<Slot*> entry_limit{nullptr};

  // --- owner only: allocation. A mounter lends its buffer to the continuation that it has mounted --------------------
  char* tlab_top = nullptr;
  char* tlab_end = nullptr;
  char* tlab_start = nullptr;
  u64 allocated_bytes = 0;  // retired TLABs and direct allocations
  // Counts down the allocations to the next collection under GCStressInterval. Under this flag tlab_end stays at
  // tlab_top, so every allocation takes the slow path.
  u64 allocation_stress_countdown = 0;
  AllocationState* allocation = nullptr;  // the carrier's

  // --- owner only; the GC and stack walkers read and update them while the owner is stopped --------------------------
  Frame* top_frame = nullptr;  // the innermost frame whose pc and sp are saved
  ThreadStack stack;
  Object* pending_exception = nullptr;
  Object* thread_object = nullptr;  // the java.lang.Thread
  // The result of Thread.currentThread(): thread_object, or the virtual thread that a carrier is about to mount or has
  // just unmounted.
  Object* current_object = nullptr;
  // The exception of Thread.stop; written with the world stopped (asynchronous.h).
  Object* asynchronous_exception = nullptr;
  Object* scoped_value_cache = nullptr;  // the cache of java.lang.ScopedValue, an Object[]; JDK 21 and later
  HandleBlock* handles = nullptr;        // runtime/threads/handles.h
  // An empty block of handles that the thread keeps. Without it, a HandleScope that begins when the newest block is
  // full would allocate and free a block each time.
  HandleBlock* cached_handles = nullptr;
  LockRecord* lock_records = nullptr;  // the thread's record stack, which is mapped below 4 TiB
  u32 lock_record_top = 0;
  u32 lock_record_capacity = 0;
  CoalescedPairs* coalesced_pairs = no_coalesced_pairs;  // while locks are recorded: coalesced_pairs.h

  // The lock stack of lightweight locking: objects locked by CAS 01 -> 00, oldest first. GC roots.
  u32 lock_stack_top = 0;
  Object* lock_stack[lock_stack_capacity] = {};

  // The thread's lock elements. In some locking algorithms a thread lends such an element to each object that it locks
  // (runtime/sync/algorithms/lock_element.h).
  LockElement* free_elements = nullptr;  // lock elements lent to no object; kept for the next enters
  u32 adopted_elements = 0;              // how many more lock elements the thread has adopted than given away
  LockElement* held_elements = nullptr;  // lock elements lent to held objects, newest first; the collector updates them
  // The number of lock elements that the thread has lent to objects that it holds, queues for or waits on. Written by
  // this thread, read by any thread.
  std::atomic<u32> lent_elements{0};

  // The monitor table's cache: recently used monitors and their objects. Cleared by each collection.
  static constexpr u32 monitor_cache_capacity = 8;
  struct CachedMonitor {
    Object* object;
    ObjectMonitor* monitor;
  } monitor_cache[monitor_cache_capacity] = {};

  u64 result = 0;  // the return value of a Java method, passed from an interpreter loop to C++

  // --- owner only ----------------------------------------------------------------------------------------------------
  u64 id = 0;                      // identifies the thread as the owner of a lock; never 0, never reused
  u64 hash_state[2] = {};          // xorshift for identity hashes
  u32 vm_depth = 0;                // nested C++ -> Java calls
  bool is_known = false;           // whether other threads may have read this thread's address (thread_structures.h S2)
  const void* dispatch = nullptr;  // current handler table (plain, tracing)

  // --- shared: each by its own protocol ------------------------------------------------------------------------------
  // A hint that the thread is interrupted (blocking.h). Written by interrupt(), by this thread, and by the mounter of a
  // virtual thread.
  std::atomic<bool> interrupted{false};
  Parker parker;  // LockSupport.park/unpark
  // The parker of monitors, Object.wait and Thread.sleep. LockSupport has its own parker: with a shared one, a thread
  // that enters a monitor could consume the permit of a LockSupport.unpark.
  Parker monitor_parker;
  // The monitor on which this thread waits in Object.wait; read by interrupt() and thread dumps.
  std::atomic<ObjectMonitor*> waiting_on{nullptr};
  // The contended monitor that this thread enters; read by thread dumps and deadlock detection.
  std::atomic<ObjectMonitor*> blocked_on{nullptr};
  // In locking algorithms with lock elements: the element through which this thread queues for a lock or waits on an
  // object.
  std::atomic<LockElement*> queued_element{nullptr};
  std::atomic<i32> bucket_grant{0};  // hands over bucket locks; runtime/sync/algorithms/bucket_lock.h
  LockCounters lock_counters;        // written by the owner
  WaitStatistics wait_statistics;    // counts and times of waiting, written by the rules of wait_statistics.h
  std::atomic<i32> suspended{0};     // 1: the thread sleeps at its next poll of Java code; asynchronous.h
  // Whether the thread has accessed a missing page of a mapped file; written by its signal handler (mapped_files.h).
  std::atomic<bool> memory_fault{false};
  std::atomic<JavaThreadStatus> status{
      JavaThreadStatus::New};  // written by the owner; read by Thread.getState and thread dumps

  // --- platform threads: immutable after start; continuations: changed by mounting and unmounting --------------------
  Carrier* carrier = nullptr;            // the OS thread that runs this thread; null: unmounted
  Continuation* continuation = nullptr;  // null in platform threads

  // --- immutable after start -----------------------------------------------------------------------------------------
  bool daemon = false;
  bool counted_out = false;       // whether Java counts the thread as ended; under the list lock
  bool vm_internal = false;       // whether this is a thread of the VM (compiler, deflater ...), hidden from Java
  const char* vm_name = nullptr;  // the name of a thread of the VM in thread dumps
  i64 start_nanoseconds = 0;      // monotonic clock at start, for "elapsed" in thread dumps

  JavaThread* next = nullptr;  // the next thread in its list, under the list lock (threads_internal.h)

  // Written by the owner while locks are recorded: the number of the object that the thread locks, awaits or releases
  // now (runtime/sync/picture/notes.h).
  u32 noted_object = 0;
  // The interpreter::DeoptReason of the deoptimization in progress. A deopt exit writes it while a recording includes
  // events of compiled code; 0: no exit has written it (vm/frames/recorded_deoptimization.h).
  u32 deopt_reason = 0;
  void* race_state = nullptr;  // this thread's clock for the detector of data races (races/races.cpp)
};

}  // namespace keyhole
