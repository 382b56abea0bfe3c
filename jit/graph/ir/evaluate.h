// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates nodes on constants, for constant folding and for the interpreter of graphs. The bits of an int or a float
// are zero-extended to 64 bits.
#pragma once

#include <optional>
#include <span>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

bool holds(Condition condition, i32 left, i32 right);
// The node's result. Nothing if the node is neither arithmetic nor a comparison of ints, or if its divisor is zero.
std::optional<u64> evaluate(const Node& node, std::span<const u64> inputs);

}  // namespace keyhole::graph
