// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs another program, and waits for its end.
#pragma once

#include <string>
#include <vector>

namespace keyhole {

// words: the program's path, then its arguments. What it writes to standard output and standard error goes to the file
// `output`, which is replaced, or made with these permissions. environment: ends with null; null is this process's own.
// Returns 0 and the status of waitpid(2), or the errno that says why it did not start.
int run_program(const std::vector<std::string>& words, const std::string& output, int permissions,
                char* const* environment, int& status);

}  // namespace keyhole
