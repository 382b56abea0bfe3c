// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --look PROGRAM: runs a program, and shows its run as a page for a browser.
//
//   run        the program, with its own input and output, in a child process whose VM records
//   read       the recording, and deletes it unless the user keeps it
//   write      the page
//
// With --modes A,B the first two steps are repeated for each locking mode, and the page shows the runs side by side.
// The exit code is that of the program, with --modes that of the first run that fails. If no page is written, the exit
// code is 1, or 2 for invalid options.
#pragma once

#include <span>

#include "vm/tools/program_command.h"

namespace keyhole::look {

// `words`: the command line after --look.
int look(std::span<char*> words, ReadProgramCommand read);

}  // namespace keyhole::look
