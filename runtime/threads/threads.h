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

// Makes a JavaThread for the calling OS thread and adds it to the list; it becomes managed (InVM). java_stack_bytes: as
// for -Xss; 0 = the default. Null without memory for the stack.
JavaThread* attach_current(bool daemon, bool vm_internal, usize java_stack_bytes);
// Starts an OS thread that attaches, runs body(thread) managed, then detaches. The caller runs `prepare` after the
// JavaThread exists and before the OS thread runs (it sets thread_object, so that GC sees it). Returns null when the OS
// refuses (then nothing is left behind): the caller throws OutOfMemoryError("unable to create native thread...").
JavaThread* start(usize java_stack_bytes, bool daemon, bool vm_internal, void (*prepare)(JavaThread*, void*),
                  void* context, void (*body)(JavaThread*)) MAY_SAFEPOINT;
void detach(JavaThread* thread);

// Adds a hook that is called when a thread is about to end, to release its allocation buffers or lock elements. The
// thread is managed. Hooks run in the order of adding; adding one twice has no effect. Called while the VM starts. A
// continuation that is recycled runs no hook, since they would find nothing (thread_structures.h S2).
void at_detach(void (*hook)(JavaThread* thread));

// The JavaThread of the calling OS thread, or null. For signal handlers and assertions; other code gets it as an
// argument.
JavaThread* current_or_null();

// Reads the field by which other threads find a thread; a continuation clears it before its end. The result may be used
// until the caller's next poll (structure_lookups.h).
i64 look_up(const std::atomic<i64>& field);

// These functions visit threads. At a safepoint they take no lock. Otherwise they take the list lock, and the visitor
// must neither block nor poll.
void for_each(const std::function<void(JavaThread*)>& visit);  // all threads that have stacks and roots
// The threads whose roots the collection in progress has to visit (continuation_lists.h).
void for_each_in_collection(const std::function<void(JavaThread*)>& visit);
void for_each_platform_thread(const std::function<void(JavaThread*)>& visit);  // without continuations
void for_each_current(const std::function<void(JavaThread*)>& visit);          // the current thread of each carrier
u32 count();  // platform threads, VM-internal ones included
u32 count_non_daemon();
// Counts of the threads that Java can see.
struct Totals {
  u32 live = 0, daemon = 0;
  u32 peak = 0;  // peak since the start, or since forget_peak
  u64 started = 0;
};
Totals totals();
// Makes Java count the thread as ended from now on, although it still has to detach. Called at most once for a thread;
// detach() does it for all others.
void count_out(JavaThread* thread);
// Undoes count_out. The main thread calls this when it continues as the thread DestroyJavaVM, with a java.lang.Thread
// of its own.
void count_in(JavaThread* thread);
void forget_peak();
// The bytes of heap allocated by threads that have ended.
i64 allocated_bytes_of_ended();
// Waits, in state Blocked, at most for `nanoseconds`, until `thread` is the only non-daemon thread left. Returns
// whether it is.
bool wait_until_last_non_daemon(JavaThread* thread, i64 nanoseconds = forever) MAY_SAFEPOINT;
usize default_java_stack_bytes();

}  // namespace keyhole::threads
