// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pass pipeline of the optimising tier: looks up a phase by its name, and runs all phases in their order.
#pragma once

#include <functional>
#include <string_view>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct Phase {
  std::string_view name;      // in -XX:PrintIR and in tests
  bool (*run)(Graph& graph);  // the phase's function, which returns true if it has changed the graph
};
// The phase with this name; null if there is none.
const Phase* find_phase(std::string_view name);

// Runs the optimising phases in the order of pipeline.cpp. Calls `look` with the name of each phase that has changed
// the graph.
void optimise(Graph& graph, const std::function<void(std::string_view phase)>& look = {});

}  // namespace keyhole::graph
