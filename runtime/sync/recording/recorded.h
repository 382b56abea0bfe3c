// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row that records the operations of another one (runtime/recorder/recorder.h), as `traced` traces them: each
// operation does what the wrapped row does, and says so in events.
//
// With locks recorded from the start, the snippets of handlers and compiled code serve coalesced pairs alone
// (coalescing.h), so every other enter and exit comes here. The wrapped row's own snippet is tried first, so the
// algorithm counts, inflates and spins as in a run that is not recorded.
//
// The time of an exit is the moment before the lock was free, the time of an enter the moment after it was held. So the
// times for which two threads hold a lock never overlap in a recording.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/algorithm.h"

namespace keyhole::sync {

// The row has enter, exit, wait, notify, identity_hash, enter_held and exit_held. Queries go to the wrapped row
// directly.
extern const Algorithm recorded_algorithm;

namespace recorded {

inline bool is_on() { return recorder::is_on(recorder::Family::locks); }

// Sets the row that recorded_algorithm wraps. Called before the second thread exists.
void wrap(const Algorithm& row);
// Records the locking mode, at the beginning of a recording.
void record_mode(const Algorithm& row);
// Called with the world stopped before objects move: records all counts.
void before_objects_move();
void thread_exits(JavaThread* thread);

// Functions that name the site of a thread. describe: the text of the bytecode that the thread executes. instruction:
// the instruction under which that text is cached if the innermost frame runs no bytecode; otherwise it is the frame's.
// Installed by a layer that knows methods; without them sites are empty.
struct SiteNames {
  const void* (*instruction)(const JavaThread* thread) = nullptr;
  std::string (*describe)(const void* thread) = nullptr;
  // The same for the innermost frame outside java.base's packages for threads. A null instruction: there is none.
  const void* (*caller_instruction)(const JavaThread* thread) = nullptr;
  std::string (*describe_caller)(const void* thread) = nullptr;
};
extern SiteNames site_names;
// The number of the text that names the calling thread's site. The caller has saved the thread's state.
u32 site_of(const JavaThread* thread);
// The site of the code that called into java.util.concurrent and its like; 0: all frames are theirs.
u32 caller_site_of(const JavaThread* thread);

}  // namespace recorded
}  // namespace keyhole::sync
