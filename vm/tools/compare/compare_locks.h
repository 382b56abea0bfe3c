// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --compare-locks PROGRAM: the user's program in every locking mode, and what makes the difference.
//
// The program first runs once as it would without us: that shows whether it runs at all, fills the cache of compiled
// sources, and gives the output that all other runs must repeat. Then come the rounds, each with one run in every mode,
// so that a busy minute affects all modes alike; then, unless --no-recording, one recorded run in every mode. Times are
// from rounds alone.
#pragma once

#include <span>

#include "vm/tools/program_command.h"

namespace keyhole::compare {

// The words behind --compare-locks. Returns the exit code: that of the program where it fails; 1 where its output
// differs from mode to mode, or something is wrong with the words.
int compare_locks(std::span<char*> words, ReadProgramCommand read);

}  // namespace keyhole::compare
