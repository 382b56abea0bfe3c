// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// While locks are recorded: what a thread's snippets read and write to count pairs of enter and exit that are not told
// one by one (runtime/sync/recording/lock_runs.h).
#pragma once

#include "runtime/object/object.h"

namespace keyhole {

struct LockRun {
  Object* object = nullptr;   // null: no run; its owner's, or of whoever has stopped the owner
  u32 left = 0;               // pairs until the run is told
  u32 number = 0;             // of the object, in the recording
};

// A table, by bits of the object's address.
inline constexpr u32 lock_run_count = 256;
inline constexpr u32 lock_run_mask = (lock_run_count - 1) * sizeof(LockRun);
inline LockRun* lock_run_of(LockRun* runs, const Object* object) {
  uptr offset = reinterpret_cast<uptr>(object) & lock_run_mask;
  return reinterpret_cast<LockRun*>(reinterpret_cast<char*>(runs) + offset);
}

// The table of threads that have no runs: all that are not recorded. Never written.
extern LockRun no_lock_runs[lock_run_count];

}  // namespace keyhole
