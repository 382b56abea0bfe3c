// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising tier's hook for the recording of locks: each decision that differs while locks are recorded from the
// start. Then snippets serve coalesced pairs only (runtime/sync/recording/recorded_fast_path.h), and the interpreter's
// handler must execute and record all other enters and exits.
#pragma once

#include "runtime/recorder/recorder.h"

namespace keyhole::graph::recorded_locks {

// Exits call the handler when their snippet fails, as contended enters do (lower/contended_enters.cpp, E5).
inline bool exits_call_handler() { return recorder::replaces_fast_paths(); }
// A call of the handler may have virtual objects in its state, as long as none of them is locked
// (lower/contended_enters.cpp, E5).
inline bool calls_may_name_virtual_objects() { return recorder::replaces_fast_paths(); }
// Every monitor needs its lock record, because exits are calls (optimize/lock_record_elimination.cpp, U6).
inline bool need_lock_records() { return recorder::replaces_fast_paths(); }
// The enter of an inlined synchronized method is a speculation that its pairs are coalesced; where the speculation has
// failed, the method is called instead (build/inliner.cpp, lower/locks.cpp).
inline bool speculate_on_inlined_enters() { return recorder::replaces_fast_paths(); }

}  // namespace keyhole::graph::recorded_locks
