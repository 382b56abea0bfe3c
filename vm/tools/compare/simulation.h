// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays the recorded locks on the simulated machine. Starts bench/lockreplay, whose executable is beside the VM's, as
// a child process.
#pragma once

#include <string>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// Returns the path of the lockreplay executable that belongs to this VM.
std::string replayer();

// Parses lockreplay's output for one algorithm. Returns false if the text is not such output.
bool parse_replay(const std::string& output, std::string_view mode, SimulatedRun& run);

// Returns the simulation's results in sentences. Empty if nothing was simulated.
std::vector<std::string> what_is_simulated(const Comparison& comparison);

}  // namespace keyhole::compare
