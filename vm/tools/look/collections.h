// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a recording's collections, with their phases and the work of each thread in a phase; and its safepoints, the
// times at which all threads were stopped.
#pragma once

#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::look {

struct Phase {
  u32 name;   // the number of a text
  i64 begin;  // a phase ends where the next one begins; the last one ends with the pause
};
// The work of one thread in a phase.
struct Work {
  u32 thread, worker;
  i64 begin, end;
};
struct Pause {
  i64 begin, end;  // nanoseconds
  u32 kind;        // the number of a text: the kind of the collection, known at its end
  u32 number, thread, event;
  std::vector<Phase> phases;
  std::vector<Work> works;
};
struct Safepoint {
  i64 request, reached, resume;
  u32 operation;  // the number of a text
  u32 thread, event;
};

struct Collections {
  std::vector<Pause> pauses;
  std::vector<Safepoint> safepoints;
};

// A collection or safepoint without an end in the recording ends with the recording.
Collections collections_of(const recorder::Recording& recording);

}  // namespace keyhole::look
