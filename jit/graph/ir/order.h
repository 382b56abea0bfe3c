// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of any flow graph, given as lists of numbers; 0 is the entry.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::graph {

// What is reached from there.
std::vector<u32> reverse_postorder(const std::vector<std::vector<u32>>& successors, u32 entry = 0);
// Of vertices that are numbered in reverse postorder and all reached; the entry is its own.
std::vector<u32> immediate_dominators(const std::vector<std::vector<u32>>& predecessors);
// Does `above` dominate `below`?
bool dominates(const std::vector<u32>& dominators, u32 above, u32 below);

}  // namespace keyhole::graph
