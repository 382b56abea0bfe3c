// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Vertex orders of any flow graph, given as lists of numbers; 0 is the entry.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::graph {

// The vertices that are reached from `first`.
std::vector<u32> reverse_postorder(const std::vector<std::vector<u32>>& successors, u32 entry = 0);
// Immediate dominators. The vertices are numbered in reverse postorder and all reached; the entry dominates itself.
std::vector<u32> immediate_dominators(const std::vector<std::vector<u32>>& predecessors);
// Whether `above` dominates `below`.
bool dominates(const std::vector<u32>& dominators, u32 above, u32 below);

}  // namespace keyhole::graph
