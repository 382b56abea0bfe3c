// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PictureProgram: a scenario during which the picture of each lock is compared with the lock.
//
//   the protocol's notes --> Reconstruction --> told  ---+
//                                                        +-- equal, before each choice of the checker
//   header, monitor, queues --> SightOf ------> seen  ---+
//
// A recording has no notes of snippets, but events of enters and exits. So a second reconstruction hears what a
// recording would have, and is compared while no thread is in the middle of an operation.
#pragma once

#include <cstdio>
#include <memory>

#include "tests/model/scenario.h"

namespace keyhole::model {

// Null if the algorithm has no picture. The subject's name, or its beginning, tells the algorithm.
std::unique_ptr<checked::Program> make_picture_program(std::string_view subject, const Scenario& scenario,
                                                       LockUnderTest& lock);

// Returns the number of comparisons of pictures, in all executions.
u64 pictures_compared();

// From now on, executions that end well are written to this file, each as an object of JSON: the steps, with the
// picture after each, which has been found equal to the lock. tests/model/pictures.py replays them with the code of the
// page.
void tell_executions(FILE* out);

}  // namespace keyhole::model
