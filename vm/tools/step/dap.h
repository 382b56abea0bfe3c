// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Debug Adapter Protocol on standard input and output: VS Code and other editors step forwards and backwards.
//
// D1: a request is answered before the next one is read. Moves are made at once, so an editor sees `stopped` directly
//     after the response.
// D2: a move of a thread that does not run chooses that thread first.
// D3: all threads stop and go together. A thread's number is its strand's and one; a frame's is
//     thread * frames_per_thread + its index. The variables of a frame have its number, the fields `fields_number`.
#pragma once

#include "vm/tools/step/sources.h"
#include "vm/tools/step/stepper.h"

namespace keyhole::step {

// Answers an editor until it launches a program: "program" is a class or a source file, "args" and "vmArgs" are lists.
// Returns the empty string, or what is wrong.
std::string read_launch(std::vector<std::string>& words);
// Returns the exit code.
int serve_debug_adapter(Stepper& stepper, Sources& sources);

}  // namespace keyhole::step
