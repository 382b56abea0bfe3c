// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A state as text: threads in columns, what has changed, locks, output.
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

// `before`: what changed since then is shown. `output`: all that the program has written.
std::string state_text(const State& state, const State& before, const std::string& output, Sources& sources);
std::string threads_text(const State& state, Sources& sources);
std::string frames_text(const State& state, Sources& sources);
std::string variables_text(const State& state);
std::string locks_text(const State& state);

}  // namespace keyhole::step
