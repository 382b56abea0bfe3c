// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Collections with their phases and the work in them, and safepoints: when all threads stood still.
#pragma once

#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::look {

struct Phase {
  u32 name;          // a text
  i64 begin;         // it ends where the next one begins, the last one with the pause
};
// One thread's share of a phase.
struct Work {
  u32 thread, worker;
  i64 begin, end;
};
struct Pause {
  i64 begin, end;    // nanoseconds
  u32 kind;          // a text: what the collection turned out to be
  u32 number, thread, event;
  std::vector<Phase> phases;
  std::vector<Work> works;
};
struct Safepoint {
  i64 request, reached, resume;
  u32 operation;     // a text
  u32 thread, event;
};

struct Collections {
  std::vector<Pause> pauses;
  std::vector<Safepoint> safepoints;
};

// What the recording does not see end, ends with it.
Collections collections_of(const recorder::Recording& recording);

}  // namespace keyhole::look
