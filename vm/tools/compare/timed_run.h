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
  // if not empty: why the program was not started, or that the user interrupted the comparison
  std::string problem;
  int exit_code = 0;          // the exit code, or 128 + the number of the signal that killed the program
  bool is_over_time = false;  // the program was killed because it exceeded the timeout
  f64 wall_ms = 0;
  f64 cpu_ms = 0;  // of all its threads
};

// Runs the program with its standard streams redirected to the files; the input file must exist. The child is killed
// when this process ends. After `timeout` seconds (0: never) the child gets SIGQUIT, so that its output has a thread
// dump, and a second later SIGKILL.
TimedRun run_timed(std::span<const std::string> words, const std::string& input, const std::string& output,
                   const std::string& errors, u32 timeout = 0);

// Installs handlers of SIGINT, SIGTERM and SIGHUP. They end first the child and then the comparison, instead of ending
// this process at once.
void catch_interrupts();
// Returns the signal that has arrived, or 0.
int interrupted_by();

}  // namespace keyhole::compare
