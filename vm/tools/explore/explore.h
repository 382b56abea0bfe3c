// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --explore: a program under systematically chosen schedules (docs/explore.md).
#pragma once

#include <functional>

#include "vm/tools/explore/options.h"

namespace keyhole::explore {

struct Program {
  std::string what;           // as the user named it
  std::string source_file;    // in source-file mode
  std::function<void()> run;  // boots the VM, runs the program and exits the process
};

// Returns the exit code.
int explore(const Options& options, const Program& program);
// Merges the reports of an exploration's shards, and prints the result. Returns the exit code.
int merge(const Options& options);

}  // namespace keyhole::explore
