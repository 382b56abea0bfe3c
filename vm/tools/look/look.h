// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --look PROGRAM: what the program did, as a page for a browser.
//
//   run        the program, with its own input and output, in a process whose VM records
//   read       the recording, which then goes, unless the user keeps it
//   write      the page
//
// The exit code is the program's; where there is no page, it is 1, or 2 for words that make no sense.
#pragma once

#include <span>

#include "vm/tools/program_command.h"

namespace keyhole::look {

// The words behind --look.
int look(std::span<char*> words, ReadProgramCommand read);

}  // namespace keyhole::look
