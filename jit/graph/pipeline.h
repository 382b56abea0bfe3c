// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pass pipeline of the optimising tier: finds a phase by its name, and runs all of them in their order.
#pragma once

#include <functional>
#include <string_view>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct Phase {
  std::string_view name;      // in -XX:PrintIR and in tests
  bool (*run)(Graph& graph);  // returns true if it has changed the graph
};
// The phase with this name; null if there is none.
const Phase* find_phase(std::string_view name);

// Runs the optimising phases in the order of pipeline.cpp. `look` is called with the name of each phase that has
// changed something.
void optimise(Graph& graph, const std::function<void(std::string_view phase)>& look = {});

}  // namespace keyhole::graph
