// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a recording: frames that enter loop code (on-stack replacement), and frames that are deoptimized.
//
//   interpreter, baseline  ──loop_entered──> code of the loop ──deoptimized──> interpreter, baseline
//
// Calls, returns and exceptions that pass are not recorded.
//
// Deoptimization is rare: one load where all paths meet asks whether code is recorded. A frame of baseline code that
// falls back to the interpreter for one bytecode and continues at a loop's header is not rare: while code is recorded,
// step_table has other handlers.
#pragma once

#include "vm/code/compiled_code.h"

namespace keyhole::interpreter {

// Deopt reasons. Up to LastOfCode: 1 + graph::DeoptReason (jit/graph/ir/graph.h), which code compiled during a
// recording writes to JavaThread::deopt_reason. The others follow from the place of the deoptimization.
enum class DeoptReason : u16 {
  Unknown = 0,
  LastOfCode = 63,
  Poll,      // a safepoint, a handshake or a sample is due
  Memory,    // an allocation needs more than the thread's TLAB
  Monitor,   // a monitorenter or monitorexit without a fast path. Not recorded while locks are recorded: then the
             // recording itself has replaced the fast path
  Throw,     // athrow
  Obsolete,  // invalidated dependency or redefined method, noticed when a call returned
};
std::string_view name_of(DeoptReason reason);  // of those after LastOfCode, and "other"

// Own thread, state saved, `pc` is executed next. `root` is the method that was compiled: the frame's own, or the
// outermost of the activations that the frame had.
void record_deoptimization(JavaThread* thread, const Cell* pc, const Method* root);
// Own thread: the frame is about to continue at `pc`, in code if there is an entry.
void record_osr_entry(JavaThread* thread, Frame* frame, const Cell* pc);

}  // namespace keyhole::interpreter
