// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole lock: the commands of a lock's author.
#pragma once

#include <span>
#include <string_view>

namespace keyhole::lab {

// Whether `keyhole lock WORD` is such a command. Any other word makes `lock` the name of a class.
bool is_lock_command(std::string_view word);
// `words`: the command line after `lock`. Returns the exit code: 2 after bad input, with one sentence on stderr.
int lock_command(std::span<char*> words);

}  // namespace keyhole::lab
