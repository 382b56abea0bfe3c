// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Induction variables: phis of a loop's header to which each iteration adds a stride.
//
//     n7 = phi n1, n9        n1: the value before the first iteration
//     n9 = iadd n7 n3        n3: the stride, a constant or another value
#pragma once

#include <optional>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// The stride of an induction variable, which is a phi of the loop's header: the value that each iteration adds to the
// phi.
struct Stride {
  i32 constant = 0;
  Node* value = nullptr;  // the stride if it is not a constant; otherwise null

  bool operator==(const Stride&) const = default;
};
std::optional<Stride> stride_of(const Node* next, const Node* phi);

// negated() returns the opposite condition. exchanged() returns the condition for exchanged operands: a < b if the
// condition is b > a. Neither function has a result for Below.
std::optional<Condition> negated(Condition condition);
std::optional<Condition> exchanged(Condition condition);

// If `condition` compares the phi with another value, sets `limit` to that value, and returns a comparison of the phi
// with `limit`: it holds when `condition` has the value `result`. Returns nothing for other conditions.
std::optional<Condition> held_for(const Node* condition, const Node* phi, bool result, Node*& limit);

// The header's only predecessor outside of the loop.
Block* before_loop(const Block* header);
// By Block::id: whether the block is in the loop. The loop's header counts as a block of the loop.
std::vector<bool> blocks_of_loop(const Graph& graph, const Block* header);
// Returns the block's loop_entry node; null if it has none.
Node* loop_entry_in(const Block* block);

}  // namespace keyhole::graph
