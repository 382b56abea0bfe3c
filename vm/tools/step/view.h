// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a state as text: threads in columns, changed variables, locks, output.
//
//   * main                    Thread-0                  Thread-1
//     Overdraw.java:16        Overdraw.java:8           not begun
//     first.join();           if (balance >= amount)
//     waits for Thread-0      reads balance
//   changed: balance 100 -> 20
#pragma once

#include <string>

#include "vm/tools/step/sources.h"
#include "vm/tools/step/state.h"

namespace keyhole::step {

// Prints the changes from `before` to the state. `output`: everything that the program has written so far.
std::string state_text(const State& state, const State& before, const std::string& output, Sources& sources);
std::string threads_text(const State& state, Sources& sources);
std::string frames_text(const State& state, Sources& sources);
std::string variables_text(const State& state);
std::string locks_text(const State& state);

}  // namespace keyhole::step
