// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the debugger's event requests, and sends events.
//
//   thread with an event:
//     matching requests ---> suspends itself or all threads ---> one composite packet ---> sleeps
//
// V1: an event's packet is sent after the event has suspended its threads, so the debugger finds them suspended.
// V2: while the debugger holds events (HoldEvents), events suspend threads as usual, but their packets wait.
// V3: when the debugger disconnects, first the connection is closed, then all threads are resumed. An event may suspend
//     threads after that. Its thread then finds no connection, and resumes them itself.
// V4: the lock of the requests is a leaf lock, like the lock of the object ids.
// V5: after an event that suspends all threads, the next one is sent only when the debugger has resumed all or one of
//     them. Otherwise a debugger that resumes all threads after an event without interest for its user would also end
//     the suspension by another event, whose frames the user inspects. A thread whose event suspends anything waits for
//     its turn; an event that suspends nothing waits as a packet. VM_START is exempt: no thread has an event before it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/threads/handles.h"
#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"
#include "vm/tools/jdwp/packet.h"

namespace keyhole::jdwp::events {

struct CountFilter {
  i32 left;
};
struct ThreadFilter {
  u64 thread;
};
struct ClassFilter {
  u64 type;
};
struct NameFilter {
  std::string pattern;
  bool excludes;
};  // of classes: "a.b.C", "a.b.*", "*.C"
struct SourceFilter {
  std::string pattern;
};
struct ExceptionFilter {
  u64 type;
  bool caught, uncaught;
};  // type 0: all
using Filter = std::variant<CountFilter, ThreadFilter, ClassFilter, NameFilter, SourceFilter, ExceptionFilter>;

struct Request {
  i32 id = 0;
  EventKind kind = EventKind::VmDeath;
  SuspendPolicy policy = SuspendPolicy::None;
  std::vector<Filter> filters;
};

// Adds an event request, and returns its id.
i32 add(Request request);
void remove(EventKind kind, i32 id);
void remove_all();

void hold();
void release(JavaThread* thread) MAY_SAFEPOINT;
// Called after the debugger has resumed all threads or one of them (V5).
void resumed(JavaThread* thread) MAY_SAFEPOINT;

// The functions below report an event. Each is called by the thread to which the event happens.
void vm_started(JavaThread* thread, bool suspend) MAY_SAFEPOINT;
void vm_dies(JavaThread* thread) MAY_SAFEPOINT;
void thread_started(JavaThread* thread) MAY_SAFEPOINT;
void thread_ended(JavaThread* thread) MAY_SAFEPOINT;
void class_prepared(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;

struct Place {
  const Method* method = nullptr;
  i32 bci = 0;
};  // without a method: none
bool wants_exceptions();
// Reports an exception. If `caught` has no method, the exception is uncaught. The places `thrown` and `caught` are in
// methods on the thread's stack.
void exception_thrown(JavaThread* thread, Handle exception, Place thrown, Place caught) MAY_SAFEPOINT;

}  // namespace keyhole::jdwp::events
