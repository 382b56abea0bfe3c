// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries about frame states for escape analysis and partial escape analysis.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// E4: whether an activation of the frame state has a handler at its bci that would catch an OutOfMemoryError.
bool catches_exhaustion(const FrameState* state);
// E4, E6: whether the objects in the node's frame state have to be allocated before the node is executed.
bool materializes_objects_of_state(const Node* node);
// E7: the exception object of an uncommon trap that stands for an athrow; null for other nodes.
Node* thrown_by(const Node* node);

}  // namespace keyhole::graph
