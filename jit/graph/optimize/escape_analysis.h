// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What escape_analysis.cpp asks of states, for others.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// E4: does one of these activations, where they are, catch that memory has run out?
bool catches_exhaustion(const FrameState* state);
// E4, E6: are the objects that the node's state names made before it?
bool materializes_objects_of_state(const Node* node);
// E7: what the node, an exit, throws, or null.
Node* thrown_by(const Node* node);

}  // namespace keyhole::graph
