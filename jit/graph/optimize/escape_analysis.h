// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Escape analysis: queries about frame states, shared with partial escape analysis.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// E4: whether one of these activations catches, at its bci, that memory has run out.
bool catches_exhaustion(const FrameState* state);
// E4, E6: whether the objects that the node's frame state names are materialized before the node.
bool materializes_objects_of_state(const Node* node);
// E7: the object that an uncommon trap throws; null for other nodes.
Node* thrown_by(const Node* node);

}  // namespace keyhole::graph
