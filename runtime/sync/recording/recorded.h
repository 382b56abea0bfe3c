// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row that records the operations of another row (runtime/recorder/recorder.h): each operation calls that of the
// wrapped row, and records events about it.
//
// If locks are recorded from the start, the snippets of handlers and compiled code serve coalesced pairs only
// (coalescing.h), so every other enter and exit calls this row. This row tries the wrapped row's own snippet first, so
// the algorithm counts, inflates and spins as in a run that is not recorded.
//
// An exit is recorded with the time just before the lock became free, an enter with the time just after it was taken.
// So the times for which two threads hold a lock never overlap in a recording.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/algorithm.h"

namespace keyhole::sync {

// Records lock operations, and passes them to the wrapped algorithm. Has only enter, exit, wait, notify, identity_hash,
// enter_held and exit_held. Callers send queries to the wrapped algorithm directly.
extern const Algorithm recorded_algorithm;

namespace recorded {

inline bool is_on() { return recorder::is_on(recorder::Family::locks); }

// Sets the algorithm that recorded_algorithm wraps. Called before the second thread exists.
void wrap(const Algorithm& row);
// Records the locking mode, at the beginning of a recording.
void record_mode(const Algorithm& row);
// Called with the world stopped before objects move: records all counts.
void before_objects_move();
void thread_exits(JavaThread* thread);

// Functions that find a thread's site: the bytecode that it executes. A layer that knows methods installs the
// functions; without them sites are empty. describe returns the text of the bytecode. instruction returns the
// instruction of the innermost frame that runs bytecode; the text is cached under that instruction.
struct SiteNames {
  const void* (*instruction)(const JavaThread* thread) = nullptr;
  std::string (*describe)(const void* thread) = nullptr;
  // caller_instruction returns the instruction of the innermost frame outside java.util.concurrent, java.lang,
  // jdk.internal and their subpackages, or null if there is no such frame. describe_caller returns the text of that
  // frame's bytecode.
  const void* (*caller_instruction)(const JavaThread* thread) = nullptr;
  std::string (*describe_caller)(const void* thread) = nullptr;
};
extern SiteNames site_names;
// Returns the number of the text that describes the calling thread's site. The caller has saved the thread's state.
u32 site_of(const JavaThread* thread);
// Returns the site of the innermost code outside the packages that SiteNames::caller_instruction skips. Returns 0 if
// all frames belong to those packages.
u32 caller_site_of(const JavaThread* thread);

}  // namespace recorded
}  // namespace keyhole::sync
