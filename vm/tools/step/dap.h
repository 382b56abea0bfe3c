// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A Debug Adapter Protocol server on standard input and output. VS Code and other editors use it to step forwards and
// backwards.
//
// D1: a request is answered before the next request is read. A step or continue request is carried out before the next
//     request, so the editor receives the event `stopped` directly after the response.
// D2: a request to step a thread that is not the running one first makes the stepper switch to that thread.
// D3: all threads stop and resume together. A thread's id is its strand number plus 1. A frame's id is thread *
//     frames_per_thread + the frame's index. The `variablesReference` of a frame's locals is the frame's id; that of
//     the fields is `fields_number`.
// D4: a breakpoint that cannot be set has `verified: false` and a message: there are at most `max_stops` of both kinds.
#pragma once

#include "vm/tools/step/sources.h"
#include "vm/tools/step/stepper.h"

namespace keyhole::step {

// Answers an editor's requests up to `launch`, whose arguments name the program: "program" is a class or a source file,
// "args" and "vmArgs" are lists. Returns the empty string, or an error message.
std::string read_launch(std::vector<std::string>& words);
// Returns the exit code.
int serve_debug_adapter(Stepper& stepper, Sources& sources);

}  // namespace keyhole::step
