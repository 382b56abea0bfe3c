// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all threads, starting and ending them.
//
// Life of a JavaThread
//
//   made, in no list      New         start(): the OS thread exists already and waits at the gate, so a failure leaves
//                                     nothing behind
//   in the list           New         roots are visited; counts as non-daemon from here on
//   managed               InJava ...  body runs
//   detached              Terminated  unlinked; the Java stack is unmapped
//   retired               Terminated  the structure stays readable until every thread has passed a poll, then it is
//                                     reused
//
// So a managed thread that reads a JavaThread* from a java.lang.Thread (or picks a monitor's successor) may use it
// until its own next safepoint poll: unparking a thread that has just ended is harmless.
#pragma once

#include <functional>
#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::threads {

// Makes a JavaThread for the calling OS thread and adds it to the list. The thread is managed afterwards (InVM).
// `java_stack_bytes` is a size as for -Xss; 0 is the default. Returns null if there is no memory for the stacks.
JavaThread* attach_current(bool daemon, bool vm_internal, usize java_stack_bytes);
// Starts an OS thread that attaches, runs body(thread) managed, then detaches. start() itself calls `prepare` when the
// JavaThread exists and before the OS thread runs; `prepare` sets thread_object, so that the collector sees it. If the
// OS refuses a thread, returns null and leaves nothing behind; the caller throws OutOfMemoryError("unable to create
// native thread...").
JavaThread* start(usize java_stack_bytes, bool daemon, bool vm_internal, void (*prepare)(JavaThread*, void*),
                  void* context, void (*body)(JavaThread*)) MAY_SAFEPOINT;
void detach(JavaThread* thread);

// Adds a hook, called by each thread that is about to end, while it is managed. Hooks release allocation buffers or
// lock elements. They run in the order of adding; adding one twice has no effect. Called while the VM starts. A
// continuation that is recycled runs no hook, because it has nothing to release (thread_structures.h S2).
void at_detach(void (*hook)(JavaThread* thread));

// Returns the JavaThread of the calling OS thread, or null. For signal handlers and assertions; other code gets it as
// an argument.
JavaThread* current_or_null();

// Returns the content of Thread.eetop, the field that holds a thread's JavaThread*. A continuation clears the field
// before it ends. The caller may use the result until its next poll (structure_lookups.h).
i64 look_up(const std::atomic<i64>& field);

// These functions visit threads. At a safepoint they take no lock. Otherwise they take the list lock, and the visitor
// must neither block nor poll.
// Visits all threads that have stacks and roots, mounted or not.
void for_each(const std::function<void(JavaThread*)>& visit);
// Visits the threads whose roots the collection in progress has to visit (continuation_lists.h).
void for_each_in_collection(const std::function<void(JavaThread*)>& visit);
void for_each_platform_thread(const std::function<void(JavaThread*)>& visit);  // without continuations
// Visits the current thread of each carrier.
void for_each_current(const std::function<void(JavaThread*)>& visit);
u32 count();  // platform threads, VM-internal ones included
u32 count_non_daemon();
// Counts of the threads that Java can see.
struct Totals {
  u32 live = 0, daemon = 0;
  u32 peak = 0;  // the largest number of live threads since the start, or since forget_peak
  u64 started = 0;
};
Totals totals();
// Makes Java count the thread as ended from now on, although it has not detached yet. Called at most once for a thread.
// If it was not called for a thread, detach() does the same.
void count_out(JavaThread* thread);
// Undoes count_out. The main thread calls this when it continues as the thread DestroyJavaVM, with a java.lang.Thread
// of its own.
void count_in(JavaThread* thread);
void forget_peak();
// Returns the number of bytes that ended threads have allocated in the heap.
i64 allocated_bytes_of_ended();
// Waits in state Blocked until `thread` is the only non-daemon thread left, but at most for `nanoseconds`. Returns true
// if no other non-daemon thread is left.
bool wait_until_last_non_daemon(JavaThread* thread, i64 nanoseconds = forever) MAY_SAFEPOINT;
usize default_java_stack_bytes();

}  // namespace keyhole::threads
