// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a recording: frames that enter loop code (on-stack replacement), and frames that are deoptimized.
//
//   interpreter, baseline  ──loop_entered──> code of the loop ──deoptimized──> interpreter, baseline
//
// Calls, returns and exceptions that pass through a frame are not recorded.
//
// Deoptimization is rare, so its common path loads a flag that says whether code is recorded. Baseline code often falls
// back to the interpreter for one bytecode and continues at a loop's header; to keep these steps free of the flag,
// fallback_table gets other handlers while code is recorded.
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
std::string_view name_of(DeoptReason reason);  // "other" for Unknown and the reasons of code

// Records a deoptimization. Called by the thread itself, which has saved its state; `pc` is executed next. `root` is
// the method that was compiled: the frame's own, or that of the outermost activation that the frame had.
void record_deoptimization(JavaThread* thread, const Instruction* pc, const Method* root);
// Records that the frame enters loop code, if there is an entry at `pc`, where the frame is about to continue. Called
// by the frame's thread.
void record_osr_entry(JavaThread* thread, Frame* frame, const Instruction* pc);

}  // namespace keyhole::interpreter
