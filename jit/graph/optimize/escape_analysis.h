// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries of escape analysis about frame states, shared with partial escape analysis.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// E4: whether one of the frame state's activations has a handler at its bci that would catch the exhaustion of memory.
bool catches_exhaustion(const FrameState* state);
// E4, E6: whether the objects that the node's frame state names have to be allocated before the node.
bool materializes_objects_of_state(const Node* node);
// E7: the object that the node throws, if the node is an uncommon trap for a throw; otherwise null.
Node* thrown_by(const Node* node);

}  // namespace keyhole::graph
