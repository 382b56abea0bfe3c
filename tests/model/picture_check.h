// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PictureProgram: a scenario during which the picture of each lock is compared with the lock.
//
//   the protocol's notes --> Reconstruction --> told  ---+
//                                                        +-- equal, before each choice of the checker
//   header, monitor, queues --> SightOf ------> seen  ---+
//
// A recording has no notes of snippets, but events of enters and exits. So a second reconstruction gets only what a
// recording would have. It is compared with the lock while no thread is in the middle of an operation.
#pragma once

#include <cstdio>
#include <memory>

#include "tests/model/scenario.h"

namespace keyhole::model {

// Makes a program that runs the scenario, and compares each lock in memory with its picture: the owner, the queue and
// the waiters that the lock has reported step by step. Returns null if the algorithm reports no steps. `subject` is the
// algorithm's name, or the name and a suffix.
std::unique_ptr<checked::Program> make_picture_program(std::string_view subject, const Scenario& scenario,
                                                       LockUnderTest& lock);

// Returns the number of comparisons of pictures, in all executions.
u64 pictures_compared();

// From now on, each execution that ends without an error is written to this file as a JSON object: its steps, with the
// picture after each step. Each picture has been compared with the lock. tests/model/pictures.py replays the executions
// with the code of the page of --look.
void tell_executions(FILE* out);

}  // namespace keyhole::model
