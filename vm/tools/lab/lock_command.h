// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole lock: commands for the author of a lock.
#pragma once

#include <span>
#include <string_view>

namespace keyhole::lab {

// Returns whether `keyhole lock WORD` is one of these commands. If not, `lock` is the name of the class to run.
bool is_lock_command(std::string_view word);
// `words`: the command line after `lock`. Returns the exit code: 2 after bad input, with one sentence on stderr.
int lock_command(std::span<char*> words);

}  // namespace keyhole::lab
