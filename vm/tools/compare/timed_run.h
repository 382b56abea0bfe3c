// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a program as a child process and measures its time.
#pragma once

#include <span>
#include <string>

#include "runtime/base/types.h"

namespace keyhole::compare {

struct TimedRun {
  std::string problem;        // not empty: the program could not be started, or the user interrupted the comparison
  int exit_code = 0;          // 128 + the signal that ended it
  bool is_over_time = false;  // it was ended because it took too long
  f64 wall_ms = 0;
  f64 cpu_ms = 0;  // of all its threads
};

// Runs the program. The files are for its standard streams; the input file must exist. The child ends when this process
// does. After `timeout` seconds (0: never) it gets SIGQUIT, so that its output has a thread dump, and SIGKILL a second
// later.
TimedRun run_timed(std::span<const std::string> words, const std::string& input, const std::string& output,
                   const std::string& errors, u32 timeout = 0);

// Makes SIGINT, SIGTERM and SIGHUP end the child and then the comparison, instead of this process at once.
void catch_interrupts();
// The signal that has arrived, or 0.
int interrupted_by();

}  // namespace keyhole::compare
