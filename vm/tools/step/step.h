// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --step: a program stepped through one schedule, forwards and backwards (docs/step.md).
#pragma once

#include <functional>

#include "vm/tools/step/options.h"

namespace keyhole::step {

struct Program {
  std::string what;           // as the user named it
  std::string source_file;    // in source-file mode
  std::function<void()> run;  // boots the VM, runs the program and exits the process
};

// Returns the exit code.
int step(const Options& options, const Program& program);

}  // namespace keyhole::step
