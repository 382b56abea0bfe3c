// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A lock load: for each thread of a program, its lock operations and the work between them. bench/lockreplay replays a
// load on the simulated machine, under any algorithm.
//
// The file format is text with one step per line: a letter, then the object, if the step has one, then nanoseconds or
// the number of a wait.
//
//   objects 2
//   thread -        begins at once
//   w 1200          works for 1200 ns
//   l 0             takes the lock of object 0
//   w 90
//   n 0 7           ends the wait 7, which is one for object 0, whether it has begun or will begin
//   u 0             releases the lock
//   s 5000          sleeps
//   thread 0        begins when the first thread has ended
//   l 0
//   a 0 7           waits, and reacquires the lock
//   u 0
#pragma once

#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::compare {

struct LoadStep {
  enum Kind : char { work = 'w', sleep = 's', lock = 'l', unlock = 'u', wait = 'a', notify = 'n' };
  Kind kind;
  u32 object = 0;
  i64 amount = 0;  // nanoseconds of work or sleep, or the number of a wait
};

struct LockLoad {
  static constexpr u32 nobody = UINT32_MAX;
  struct Thread {
    u32 after = nobody;  // the thread begins when this earlier thread has ended
    std::vector<LoadStep> steps;
  };
  u32 objects = 0;
  i64 waits = 0;  // number of waits; waits are numbered from 0
  std::vector<Thread> threads;

  struct Sums {
    u64 locks = 0;
    i64 inside = 0, outside = 0;  // nanoseconds of work, separately while a lock is held and while none is held
  };
  Sums sums() const;
};

std::string text_of(const LockLoad& load);
// Returns an empty string, or the error. Each unlock must release the thread's last lock, each object must exist, and
// all locks must be released at the end.
std::string parse_load(std::string_view text, LockLoad& load);

}  // namespace keyhole::compare
