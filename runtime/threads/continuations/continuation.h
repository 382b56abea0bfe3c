// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Continuation: what a JavaThread has besides when no OS thread belongs to it. Its Java stack, record stack and native
// stack are its own (stack_segment.h), so mounting copies nothing: the OS thread switches to its native stack and with
// it to its JavaThread.
//
//   made -------- run ------> mounted -- yield, park --> unmounted -- run, by any OS thread --> mounted
//   (Blocked)      |          (managed ...)              (Blocked)
//     ^            |             |
//     |     no stack is free     +-- body returns --> ended: segment and structure are used again
//     +--- unblocked when one is
//
// A virtual thread that has to sleep inside the VM (a monitor is held by another thread, Object.wait) unmounts, too:
// unmounted_sleep.h.
//
// R1: while a continuation is mounted it is the carrier's current thread, and the mounter is Blocked; when it unmounts,
//     the mounter is current again (safepoint_protocol.h). Both are safe during the switch.
// R2: the allocation buffer belongs to the carrier. The departing thread hands it over while it is managed, so that a
//     collection finds the buffer in the current thread.
// R3: the departing thread clears its cache of monitors (JavaThread::monitor_cache): handshakes, by which the caches
//     are cleared before monitors are reused, reach current threads only.
// R4: C++ keeps no address of a thread_local across run() or yield(): the OS thread may be another one afterwards. So
//     what is done on either side of a switch are functions of their own.
// R5: an unmounted continuation is mounted again by whoever learns of it from Java, that is, after its mounter has
//     arrived: only then is its stack saved.
// R6: pinned means that it does not unmount: it counts its pins itself. Asleep inside the VM it then sleeps like a
//     platform thread, and so does a continuation that is no virtual thread: nobody would mount it again.
// R7: only Object.wait has its time limit in Java. Other limited sleeps inside the VM are short; Java is told that they
//     have none, and the unblocker ends them (sleep_limits.h).
// R8: young collections leave out what has not run since one visited it: continuation_lists.h says who may write into
//     an unmounted continuation.
// R9: thread_object is written by whoever mounts a continuation first, by collections, and when it has ended: then the
//     unblocker may be reading it (thread_object_of).
// R10: it is pinned while a C function on its stack calls Java: C code may keep across the call what belongs to its OS
//     thread, a pthread_t or the address of a thread-local variable. The VM's own frames obey R4.
#pragma once

#include <atomic>
#include <string_view>

#include "runtime/base/capabilities.h"
#include "runtime/base/platform/fiber.h"
#include "runtime/threads/continuations/stack_segment.h"
#include "runtime/threads/continuations/unmounted_sleep.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

struct Continuation : SleeperOf<HardwareWorld, JavaThread> {
  StackSegment segment;              // by its mounter; under the list lock once it has queued, until the first mount
  bool has_queued = false;           // by its mounter: another thread may have given it a segment meanwhile
  Fiber fiber;
  JavaThread* mounter = nullptr;     // who runs on when this one goes; kept while unmounted, without a meaning
  JavaThread* previous = nullptr;    // in its list, under the list lock (continuation_lists.h)
  bool is_clean = false;           // in which; by its mounter, and by the collector
  std::atomic<bool> is_in_use{false};   // by the carrier that makes or ends it (continuation_cache.h)
  JavaThread* next_cached = nullptr;   // while not in use
  std::atomic<bool> refers_to_young{false};   // within a collection
  void (*body)(JavaThread*) = nullptr;
  u32 pins = 0;                      // by itself, or by the thread that is about to mount it
  u32 native_frames = 0;             // by itself: C functions on its stack that have called Java (R10)
  bool is_virtual_thread = false;
  bool is_on_carriers = false;       // mounted by carriers of Java's scheduler, which run deferred unparks
  bool is_on_carrier_stack = false;  // run_on_carrier_stack
  bool has_ended = false;            // written before it unmounts for the last time, for the mounter
  bool is_recyclable = false;        // as has_ended: its fiber is suspended where the next body begins
  std::atomic<u64> sleep{0};         // the number of this sleep, and of no other
  // Under the list lock: it waits for a segment.
  JavaThread* next_queued = nullptr;
  bool is_queued = false;
};

namespace continuations {

// Why a continuation cannot yield; the numbers are those of jdk.internal.vm.Continuation.
enum class Pinned : i32 { No = 0, CriticalSection = 2, Native = 3, Monitor = 4 };

// Null without memory. body(thread) runs managed, at the first run. A virtual thread gets its stacks when it is mounted
// first, any other continuation here.
JavaThread* make(JavaThread* self, bool is_virtual_thread, void (*body)(JavaThread* thread)) MAY_SAFEPOINT;
// Mounts it, and returns when it has yielded, sleeps inside the VM, or has ended: then it is gone, and an exception
// that left its body is pending in `self`. Or it has not begun, because there is no memory for its stacks: once there
// is, it is unblocked like one that sleeps.
enum class Outcome { Yielded, Asleep, Queued, Ended };
// announce(context): Java is told of the sleep; false: it cannot be, and the continuation stays on its OS thread.
Outcome run(JavaThread* self, JavaThread* continuation, bool (*announce)(void* context), void* context) MAY_SAFEPOINT;
// Back to the mounter; returns when mounted again, or at once with the reason why not.
[[nodiscard]] Pinned yield(JavaThread* self) MAY_SAFEPOINT;
// R6. No for platform threads.
Pinned why_pinned(const JavaThread* thread);

// Written while the VM starts: the locks of the algorithm in force belong to the OS thread, so whoever holds one is
// pinned (R6).
extern bool held_locks_pin;

// Runs operation(argument) for `self`, on the stack of its OS thread if it is a continuation: what needs a large stack
// would leave dirty pages behind in its own. The operation must not call Java.
void run_on_carrier_stack(JavaThread* self, void (*operation)(void* argument), void* argument);
template <typename Operation> void run_on_carrier_stack(JavaThread* self, Operation operation) {
  run_on_carrier_stack(self, [](void* argument) { (*static_cast<Operation*>(argument))(); }, &operation);
}

// -Xlog:virtualthread+pinned, and a recording: what a virtual thread does while it keeps its carrier from others.
// `operation` is named as in the event jdk.VirtualThreadPinned.
void log_pinned(const JavaThread* thread, std::string_view operation);
// It is about to sleep inside the VM, with this status.
void note_sleep(const JavaThread* thread, JavaThreadStatus status);

using UnmountedSleep = UnmountedSleepOf<HardwareWorld, JavaThread>;
extern UnmountedSleep unmounted_sleep;

// Blocked, and so afterwards: the sleep of JavaWorld::park. For continuations only.
void park(JavaThread* thread, i64 nanoseconds);
// The thread's permit was that of an unmounted sleeper: has it mounted again.
void unblock(JavaThread* thread);
// Wakes a thread from monitors, Object.wait and sleep: unpark of its monitor_parker for every kind of thread.
inline void wake(JavaThread* thread) {
  if (thread->monitor_parker.unpark()) unblock(thread);
}
// Waits until there are threads to unblock, and calls visit(thread) for each; it may have ended meanwhile. One thread
// of the VM does this all the time. Managed while it visits.
void take_unblocked(JavaThread* self, void (*visit)(JavaThread* thread, void* context), void* context) MAY_SAFEPOINT;

// For a carrier of Java's own scheduler that has come back from a virtual thread: calls visit() as above. May poll.
inline bool has_deferred_unparks() { return unmounted_sleep.has_deferred_unparks(); }
void run_deferred_unparks(void (*visit)(JavaThread* thread, void* context), void* context) MAY_SAFEPOINT;

// For visit(): null when it has ended (R9).
inline Object* thread_object_of(JavaThread* thread) {
  return std::atomic_ref(thread->thread_object).load(std::memory_order_relaxed);
}

}  // namespace continuations

namespace threads {

// The mounter is about to write to it (R8).
void mark_continuation_dirty(JavaThread* self, JavaThread* continuation) MAY_SAFEPOINT;
// Its structure may be used again after everybody has passed a poll.
void retire_continuation(JavaThread* continuation);
// Of the calling OS thread.
void set_current(JavaThread* thread);

}  // namespace threads
}  // namespace keyhole
