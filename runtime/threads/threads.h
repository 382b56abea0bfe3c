// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all threads, starting and ending them.
#pragma once

#include <functional>
#include <string>

#include "runtime/threads/java_thread.h"

namespace keyhole::threads {

// Makes a JavaThread for the calling OS thread and adds it to the list; it becomes managed (InVM).
JavaThread* attach_current(bool daemon, bool vm_internal, usize java_stack_bytes);
// Starts an OS thread that attaches, runs body(thread) managed, then detaches. `prepare` runs on the caller's side after
// the JavaThread exists and before the OS thread runs (thread_object is set there, so that GC sees it). Returns null when
// the OS refuses (then nothing is left behind): the caller throws OutOfMemoryError("unable to create native thread...").
JavaThread* start(usize java_stack_bytes, bool daemon, bool vm_internal, void (*prepare)(JavaThread*, void*), void* context,
                  void (*body)(JavaThread*));
void detach(JavaThread* thread);

// The JavaThread of the calling OS thread, or null. For signal handlers and assertions; other code gets it as an argument.
JavaThread* current_or_null();

// Visits every thread. At a safepoint: no lock needed. Otherwise takes the list lock.
void for_each(const std::function<void(JavaThread*)>& visit);
u32 count_non_daemon();
// Blocks (as Blocked) until `thread` is the only non-daemon thread left.
void wait_until_last_non_daemon(JavaThread* thread);
usize default_java_stack_bytes();

}  // namespace keyhole::threads
