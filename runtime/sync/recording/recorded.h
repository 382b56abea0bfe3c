// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of the active algorithm while locks are recorded (runtime/recorder/recorder.h): each does what it does
// otherwise, and says so.
//
// With locks recorded from the start, the snippets of handlers and compiled code do only what is counted instead of
// told (coalescing.h), so every other enter and exit comes here. Here the algorithm's own snippet is tried first, as
// they would: the algorithm counts, inflates and spins as in a run that is not recorded.
//
// Times: an exit has that of the moment before the lock was free, an enter that of the moment after it was held. So the
// times that two threads hold a lock never overlap in a recording.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/algorithm.h"

namespace keyhole::sync::recorded {

inline bool is_on() { return recorder::is_on(recorder::Family::locks); }

Status enter(const Algorithm& row, JavaThread* thread, Handle object, LockRecord* record) MAY_SAFEPOINT;
Status exit(const Algorithm& row, JavaThread* thread, Handle object, LockRecord* record) TOUCHES_OBJECTS;
// Of a lock that compiled code has left out, when it leaves: the thread holds the object. No site is known.
Status enter_held(const Algorithm& row, JavaThread* thread, Handle object, LockRecord* record) TOUCHES_OBJECTS;
Status exit_held(const Algorithm& row, JavaThread* thread, Object* object, LockRecord* record) TOUCHES_OBJECTS;
Status wait(const Algorithm& row, JavaThread* thread, Handle object, i64 nanoseconds) MAY_SAFEPOINT;
Status notify(const Algorithm& row, JavaThread* thread, Handle object, bool all) TOUCHES_OBJECTS;
u32 identity_hash(const Algorithm& row, JavaThread* thread, Handle object) MAY_SAFEPOINT;

// An event that says how the VM locks: at the beginning of a recording.
void record_mode(const Algorithm& row);
// The row's own snippet from now on. Before the second thread exists.
void choose_snippet(const Algorithm& row);

// The text of the bytecode that a thread is at, and the instruction of the frame that it is in, by which it is
// remembered: asked for where the innermost frame runs no bytecode. Installed by a layer that knows methods; without it
// sites are empty.
struct SiteNames {
  const void* (*instruction)(const JavaThread* thread) = nullptr;
  std::string (*describe)(const void* thread) = nullptr;
};
extern SiteNames site_names;
// The number of that text. Own thread, state saved.
u32 site_of(const JavaThread* thread);

}  // namespace keyhole::sync::recorded
