// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of lowering: a contended monitor enter waits in a call from compiled code, and does not deoptimize
// (contended_enters.cpp).
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Lets contended enters wait in compiled code, by adding a call of the interpreter's handler after each such enter.
// Runs after the pass pipeline. Returns true if the graph has changed.
bool call_contended_enters(Graph& graph);

}  // namespace keyhole::graph
