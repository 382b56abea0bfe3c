// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --compare-locks PROGRAM: the user's program in every locking mode, and the cause of the differences.
//
// The program first runs once with the user's options. This run shows whether the program works, fills the cache of
// compiled sources, and provides the output that all other runs must repeat. Then come the timed rounds. Each round has
// one run in every mode, so that a busy minute of the machine affects all modes alike. At last, unless --no-recording
// is given, each mode has one recorded run. Times come from the rounds alone.
#pragma once

#include <span>

#include "vm/tools/program_command.h"

namespace keyhole::compare {

// `words`: the command line after --compare-locks. Returns the exit code: the program's if it fails; 1 if its output
// differs from mode to mode, or if the options are invalid.
int compare_locks(std::span<char*> words, ReadProgramCommand read);

}  // namespace keyhole::compare
