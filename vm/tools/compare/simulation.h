// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the recorded locks on the simulated machine: bench/lockreplay, which lies beside the VM, as a child process.
#pragma once

#include <string>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// The path of this VM's replayer.
std::string replayer();

// Parses the replayer's output for one algorithm. False: it is something else.
bool parse_replay(const std::string& output, std::string_view mode, SimulatedRun& run);

// The results in sentences; empty without a simulation.
std::vector<std::string> what_is_simulated(const Comparison& comparison);

}  // namespace keyhole::compare
