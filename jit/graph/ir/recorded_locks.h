// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The decisions of the optimising tier that are different if locks are recorded from the start of the program. With
// recording, an inlined fast path succeeds only for coalesced pairs (runtime/sync/recording/recorded_fast_path.h). The
// interpreter's handler executes and records every other enter and exit.
#pragma once

#include "runtime/recorder/recorder.h"

namespace keyhole::graph::recorded_locks {

// Whether a monitor exit whose fast path fails calls the interpreter's handler, as a contended enter does
// (lower/contended_enters.cpp, E5).
inline bool exits_call_handler() { return recorder::replaces_fast_paths(); }
// Whether the frame state of a call of the interpreter's handler may name virtual objects. None of them may be locked
// (lower/contended_enters.cpp, E5).
inline bool calls_may_name_virtual_objects() { return recorder::replaces_fast_paths(); }
// Whether every monitor needs a lock record, because a monitor exit may call the interpreter's handler, which reads the
// record (optimize/lock_record_elimination.cpp, U6).
inline bool need_lock_records() { return recorder::replaces_fast_paths(); }
// Whether an inlined synchronized method speculates that its enter and exit are a coalesced pair. A method for which
// this speculation has failed is called instead of inlined (build/inliner.cpp, lower/locks.cpp).
inline bool speculate_on_inlined_enters() { return recorder::replaces_fast_paths(); }

}  // namespace keyhole::graph::recorded_locks
