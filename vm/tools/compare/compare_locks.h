// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --compare-locks PROGRAM: the user's program in every locking mode, and the cause of the differences.
//
// The program first runs once with its own options: that shows whether it runs at all, fills the cache of compiled
// sources, and provides the output that all other runs must repeat. Then come the rounds, each with one run in every
// mode, so that a busy minute affects all modes alike; then, unless --no-recording, one recorded run in every mode.
// Times come from the rounds alone.
#pragma once

#include <span>

#include "vm/tools/program_command.h"

namespace keyhole::compare {

// `words`: the command line after --compare-locks. Returns the exit code: the program's if it fails; 1 if its output
// differs from mode to mode, or if the options are invalid.
int compare_locks(std::span<char*> words, ReadProgramCommand read);

}  // namespace keyhole::compare
