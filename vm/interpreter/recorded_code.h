// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recording tells of frames and compiled code: entered at a loop, left where it has nothing for what comes.
//
//   interpreter, baseline  ──loop_entered──> code of the loop ──deoptimized──> interpreter, baseline
//
// A frame that is called or returns, and an exception that passes, are not told.
//
// Exits are rare, and where they come together one load asks whether code is recorded. A step of baseline code that
// ends at a loop's header is not so rare: step_table has other handlers while code is recorded.
#pragma once

#include "vm/interpreter/compiled_code.h"

namespace keyhole::interpreter {

// Why code was left. Up to MostOfCode: 1 + graph::Reason (jit/graph/ir/graph.h), which code that was made while code
// was recorded writes to JavaThread::left_for; all else is seen from where it was left.
enum class Left : u16 {
  Unknown = 0,
  MostOfCode = 63,
  AtPoll,        // the thread is to stop, or is looked at
  ForMemory,     // what allocates needs more than the code's own buffer
  ForMonitor,    // an enter or exit that is no fast path. Not told where locks are recorded, too: then it is the
                 // recording that has taken the fast path away
  Throws,        // athrow
  Obsolete,      // what the code assumed is not so any more; when its call returned
};
std::string_view name_of(Left reason);   // of those after MostOfCode, and "other"

// Own thread, state saved, `pc` is next. The method whose code it was is the frame's, or, inlined, that of the frame
// that the code had: `root`.
void record_left(JavaThread* thread, const Cell* pc, const Method* root);
// Own thread: the frame is about to go on at `pc`, in code if there is an entry.
void record_loop_entry(JavaThread* thread, Frame* frame, const Cell* pc);

// From now on the table of steps tells of loops that are entered, or does not. Before Java runs, or world stopped.
void record_steps_into_loops(bool on);

}  // namespace keyhole::interpreter
