// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The decisions of the optimising tier that are different if locks are recorded from the start of the program. With
// recording, an inlined fast path succeeds only for coalesced pairs (runtime/sync/recording/recorded_fast_path.h). The
// interpreter's handler executes and records every other enter and exit.
#pragma once

#include "runtime/recorder/recorder.h"

namespace keyhole::graph::recorded_locks {

// Whether compiled code calls the interpreter's handler when the fast path of a monitor exit fails. A contended enter
// calls the handler, too (lower/contended_enters.cpp, E5).
inline bool exits_call_handler() { return recorder::replaces_fast_paths(); }
// Whether the frame state at a call of the interpreter's monitor handler may name virtual objects. None of these
// virtual objects may be locked (lower/contended_enters.cpp, E5).
inline bool calls_may_name_virtual_objects() { return recorder::replaces_fast_paths(); }
// Whether every monitor needs a lock record, because a monitor exit may call the interpreter's handler, which reads the
// record (optimize/lock_record_elimination.cpp, U6).
inline bool need_lock_records() { return recorder::replaces_fast_paths(); }
// Whether an inlined synchronized method speculates that the recorder coalesces its enter and exit. If this speculation
// has failed for a method, the method is called instead of inlined (build/inliner.cpp, lower/locks.cpp).
inline bool speculate_on_inlined_enters() { return recorder::replaces_fast_paths(); }

}  // namespace keyhole::graph::recorded_locks
