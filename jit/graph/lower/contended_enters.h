// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of lowering: enters of monitors get a slow path that waits in compiled code (contended_enters.cpp).
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// After the pass pipeline. True: it has changed something.
bool call_contended_enters(Graph& graph);

}  // namespace keyhole::graph
