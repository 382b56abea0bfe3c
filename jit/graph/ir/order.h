// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of the vertices of a flow graph that is given as lists of vertex numbers. Vertex 0 is the entry.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::graph {

// The vertices that are reached from `entry`.
std::vector<u32> reverse_postorder(const std::vector<std::vector<u32>>& successors, u32 entry = 0);
// Immediate dominators. The vertices must be numbered in reverse postorder and all be reached; the entry dominates
// itself.
std::vector<u32> immediate_dominators(const std::vector<std::vector<u32>>& predecessors);
// Whether `above` dominates `below`.
bool dominates(const std::vector<u32>& dominators, u32 above, u32 below);

}  // namespace keyhole::graph
