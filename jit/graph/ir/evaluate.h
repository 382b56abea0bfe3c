// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes compute from values: of the executor, and to fold constants. An int or a float is zero-extended.
#pragma once

#include <optional>
#include <span>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

bool holds(Condition condition, i32 left, i32 right);
// Nothing: it is no arithmetic or comparison of ints, or the divisor is zero.
std::optional<u64> evaluate(const Node& node, std::span<const u64> inputs);

}  // namespace keyhole::graph
