// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Continuation: the additional data of a JavaThread that has no OS thread of its own. Its Java stack, record stack and
// native stack are its own (stack_segment.h), so mounting copies nothing: the OS thread switches to its native stack.
//
//   made -------- run ------> mounted -- yield, park --> unmounted -- run, by any OS thread --> mounted
//   (Blocked)      |          (managed ...)              (Blocked)
//     ^            |             |
//     |  no stack segment free   +-- body returns --> ended: stack segment and structure are reused
//     +--- unblocked when one is
//
// A virtual thread that has to sleep inside the VM (another thread holds a monitor, Object.wait) unmounts, too:
// unmounted_sleep.h. The README has a virtual thread's whole life.
//
// R1: while a continuation is mounted it is the carrier's current thread, and the mounter is Blocked; when it unmounts,
//     the mounter is current again (safepoint_protocol.h). Both are safe during the switch.
// R2: the allocation buffer belongs to the carrier. The departing thread hands it over while it is managed, so that a
//     collection finds the buffer in the current thread.
// R3: the departing thread clears its cache of monitors (JavaThread::monitor_cache): handshakes, by which the caches
//     are cleared before monitors are reused, reach current threads only.
// R4: C++ keeps no address of a thread_local across run() or yield(), because another OS thread may run afterwards. So
//     the code on either side of a switch is a function of its own.
// R5: a thread mounts an unmounted continuation only after Java has handed the continuation to it. Java gets the
//     continuation from its mounter, after the OS thread has switched to the mounter's native stack, because only that
//     switch has saved all registers of the continuation.
// R6: a pinned continuation does not unmount. It counts its pins itself. It sleeps inside the VM like a platform
//     thread, and so does a continuation that is no virtual thread, because no carrier would mount it again.
// R7: Java itself keeps the time limit of Object.wait only. Other limited sleeps inside the VM are short: Java sees
//     them as sleeps without a limit, and the unblocker ends them (sleep_limits.h).
// R8: young collections skip continuations that have not run since they were last visited. continuation_lists.h says
//     who may write into an unmounted continuation.
// R9: thread_object is written by the first mounter, by collections, and by the mounter that ends the continuation. The
//     unblocker may read it at the same time, so it reads atomically (thread_object_of).
// R10: a continuation is pinned while a C function on its stack calls Java. C code may keep data of its OS thread
//      across that call, such as a pthread_t or the address of a thread-local variable. Frames of the VM do not, by R4.
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
  // The memory of the continuation's stacks. The mounter writes it. While the continuation is queued for a segment, and
  // until its first mount afterwards, it is written under the list lock.
  StackSegment segment;
  // Whether the continuation has ever been queued for a stack segment. Written by the mounter. The flag stays true when
  // the continuation has got a segment.
  bool has_queued = false;
  Fiber fiber;
  // The thread that continues when this continuation unmounts. The pointer is out of date while the continuation is
  // unmounted.
  JavaThread* mounter = nullptr;
  JavaThread* previous = nullptr;  // the previous continuation in its list, under the list lock (continuation_lists.h)
  // Whether the continuation is in the list of clean continuations (continuation_lists.h). Written by the mounter and
  // the collector.
  bool is_clean = false;
  // Whether the continuation is in use, not in a carrier's cache. Written by the carrier that makes or ends the
  // continuation (continuation_cache.h R2).
  std::atomic<bool> is_in_use{false};
  JavaThread* next_cached = nullptr;         // while in a carrier's cache: the next one there
  std::atomic<bool> refers_to_young{false};  // used within a collection
  void (*body)(JavaThread*) = nullptr;
  // The number of pins in effect (R6). Written by the continuation, or by the thread that is about to mount it.
  u32 pins = 0;
  // The number of C functions on the continuation's stack that have called Java (R10). Written by the continuation.
  u32 native_frames = 0;
  bool is_virtual_thread = false;
  // Whether carriers of Java's scheduler mount the continuation. These carriers run deferred unparks.
  bool is_on_carriers = false;
  bool is_on_carrier_stack = false;  // whether the continuation runs an operation of run_on_carrier_stack
  bool has_ended = false;            // whether the body has returned; written before the last unmount, for the mounter
  // Whether the next continuation may reuse this structure and its stacks; written with has_ended. If so, the fiber is
  // suspended at the place where it will run the next continuation's body.
  bool is_recyclable = false;
  // The number of the continuation's latest sleep with a time limit (sleep_limits.h). Each such sleep gets a new
  // number.
  std::atomic<u64> sleep{0};
  // The next continuation in the queue for a stack segment; under the list lock.
  JavaThread* next_queued = nullptr;
  bool is_queued = false;
};

namespace continuations {

// The reasons why a continuation cannot yield, with the numbers of jdk.internal.vm.Continuation.
enum class Pinned : i32 { No = 0, CriticalSection = 2, Native = 3, Monitor = 4 };

// Makes a continuation that will run body(thread), managed. A virtual thread gets its stacks when it is first mounted;
// any other continuation gets them from this function. Returns null if there is no memory.
JavaThread* make(JavaThread* self, bool is_virtual_thread, void (*body)(JavaThread* thread)) MAY_SAFEPOINT;
// Mounts the continuation, and returns when it has yielded, sleeps inside the VM (Asleep), or has ended. After Ended
// the continuation no longer exists; if an exception left its body, the exception is pending in `self`. Queued means
// that the continuation was not mounted, because there is no memory for its stacks. Once there is memory, the
// continuation is unblocked like a sleeper.
enum class Outcome { Yielded, Asleep, Queued, Ended };
// run() calls announce(context) to report a sleep inside the VM to Java. If announce returns false, Java cannot be told
// now, and the continuation sleeps on its carrier.
Outcome run(JavaThread* self, JavaThread* continuation, bool (*announce)(void* context), void* context) MAY_SAFEPOINT;
// Unmounts `self`, and returns when it is mounted again. If `self` is pinned, returns the reason at once.
[[nodiscard]] Pinned yield(JavaThread* self) MAY_SAFEPOINT;
// Returns the reason why a continuation cannot unmount (R6); Pinned::No for platform threads.
Pinned why_pinned(const JavaThread* thread);

// Whether the selected locking algorithm uses locks that belong to the OS thread. A continuation that holds such a lock
// is pinned (R6). Written while the VM starts.
extern bool held_locks_pin;

// Runs operation(argument) for `self`, on the stack of the OS thread if `self` is a continuation. It serves operations
// that use much stack and would leave dirty pages in the continuation's own stack. The operation must not call Java.
void run_on_carrier_stack(JavaThread* self, void (*operation)(void* argument), void* argument);
template <typename Operation> void run_on_carrier_stack(JavaThread* self, Operation operation) {
  run_on_carrier_stack(self, [](void* argument) { (*static_cast<Operation*>(argument))(); }, &operation);
}

// Logs (-Xlog:virtualthread+pinned) and records that a virtual thread sleeps on its carrier. `operation` is worded as
// in the event jdk.VirtualThreadPinned.
void log_pinned(const JavaThread* thread, std::string_view operation);
// Called before a continuation sleeps inside the VM; `status` is its status during the sleep. Calls log_pinned if the
// continuation is a pinned virtual thread and will sleep in a monitor or in Object.wait.
void note_sleep(const JavaThread* thread, JavaThreadStatus status);

using UnmountedSleep = UnmountedSleepOf<HardwareWorld, JavaThread>;
extern UnmountedSleep unmounted_sleep;

// Implements JavaWorld::park for continuations: parks `thread` for at most `nanoseconds`. The thread is Blocked before
// and afterwards.
void park(JavaThread* thread, i64 nanoseconds);
// Makes Java mount the thread again. The thread sleeps unmounted: the caller's unpark() of it has returned true.
void unblock(JavaThread* thread);
// Wakes a platform thread or a continuation that sleeps in a monitor, Object.wait or Thread.sleep: unparks its
// monitor_parker.
inline void wake(JavaThread* thread) {
  if (thread->monitor_parker.unpark()) unblock(thread);
}
// Called by the unblocker in a loop: waits until there are threads to unblock, and calls visit(thread) for each of them
// while the unblocker is managed. A visited thread may have ended meanwhile.
void take_unblocked(JavaThread* self, void (*visit)(JavaThread* thread, void* context), void* context) MAY_SAFEPOINT;

// run_deferred_unparks() is called by a carrier of Java's own scheduler that has come back from a virtual thread. It
// takes the deferred unparks, and calls visit(thread) for each of their threads while the carrier is managed. The
// function may poll.
inline bool has_deferred_unparks() { return unmounted_sleep.has_deferred_unparks(); }
void run_deferred_unparks(void (*visit)(JavaThread* thread, void* context), void* context) MAY_SAFEPOINT;

// Returns the thread's java.lang.Thread, or null if the thread has ended (R9). Called by the `visit` functions that
// take_unblocked() and run_deferred_unparks() call.
inline Object* thread_object_of(JavaThread* thread) {
  return std::atomic_ref(thread->thread_object).load(std::memory_order_relaxed);
}

}  // namespace continuations

namespace threads {

// Moves the continuation to the list of dirty continuations, if it is clean. Called by the mounter, before it writes to
// the continuation (R8).
void mark_continuation_dirty(JavaThread* self, JavaThread* continuation) MAY_SAFEPOINT;
// Retires the structure of an ended continuation; it may be reused after every thread has passed a poll.
void retire_continuation(JavaThread* continuation);
// Sets the current thread of the calling OS thread.
void set_current(JavaThread* thread);

}  // namespace threads
}  // namespace keyhole
