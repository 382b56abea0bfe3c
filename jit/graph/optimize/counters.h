// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that go up or down with each iteration of a loop: phis of its header.
//
//     n7 = phi n1, n9        n1 before the first iteration
//     n9 = iadd n7 n3        the stride: 1, -1, or what does not change in the loop
#pragma once

#include <optional>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// What is added to the phi.
struct Stride {
  i32 constant = 0;
  Node* value = nullptr;   // when it is no constant

  bool operator==(const Stride&) const = default;
};
std::optional<Stride> stride_of(const Node* next, const Node* phi);

// What holds where the answer is no; with the two sides exchanged. Nothing for unsigned comparisons.
std::optional<Condition> negated(Condition condition);
std::optional<Condition> exchanged(Condition condition);

// How the phi compares with `limit` where the question has this answer.
std::optional<Condition> held_for(const Node* question, const Node* phi, bool answer, Node*& limit);

// The only predecessor of the header that is outside of its loop.
Block* before_loop(const Block* header);
// By Block::id: the loop's blocks, with the header.
std::vector<bool> blocks_of_loop(const Graph& graph, const Block* header);
// The node loop_entry of the block, or null.
Node* loop_entry_in(const Block* block);

}  // namespace keyhole::graph
