// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reverse postorder and dominators of a flow graph. The graph is a list of successors or predecessors for each vertex;
// vertex 0 is the entry.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::graph {

// The vertices that can be reached from `entry`, in reverse postorder.
std::vector<u32> reverse_postorder(const std::vector<std::vector<u32>>& successors, u32 entry = 0);
// Immediate dominators. The vertices must be numbered in reverse postorder, and the entry must reach all of them. The
// entry's immediate dominator is the entry itself.
std::vector<u32> immediate_dominators(const std::vector<std::vector<u32>>& predecessors);
// Whether `above` dominates `below`.
bool dominates(const std::vector<u32>& dominators, u32 above, u32 below);

}  // namespace keyhole::graph
