// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of JavaThreads. Whoever has read a JavaThread* from an object or a monitor may use it until its next poll,
// also when the thread has ended meanwhile. So structures are never freed, and used again only when everybody has
// passed a poll:
//
//   made --> in a list --> retired -- an operation begins --> meeting -- it has reached all threads --> reusable --+
//     ^                                                                                                          |
//     +----------------------------------------------------------------------------------------------------------+
//
// Operations are safepoints and handshakes with all threads.
#pragma once

#include "runtime/threads/carrier.h"
#include "runtime/threads/continuation.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::threads::internal {

// The two kinds of structures, each with what it has besides.
struct PlatformThread {
  JavaThread thread;
  Carrier carrier;
};
struct ContinuationThread {
  JavaThread thread;
  Continuation continuation;
};

// In no list, with an id. Null without memory.
PlatformThread* make_platform_thread();
// At most `count`, linked by JavaThread::next. Null without memory.
JavaThread* make_continuation_threads(u32 count);
// Nobody ever saw it.
void release_structure(JavaThread* thread);
// It has left its list.
void retire(JavaThread* thread) REQUIRES(list_mutex);
// Shakes hands with all threads when many structures wait to be used again.
void reuse_retired(JavaThread* self) MAY_SAFEPOINT;

// When an operation begins, and when it has reached all threads.
void quiescence_begins() REQUIRES(operation_mutex);
void quiescence_reached() REQUIRES(operation_mutex);

}  // namespace keyhole::threads::internal
