// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The known results of conditions in a block. A result is known if a guard has passed, or a branch was taken, on every
// path to the block.
//
//     guard c            c is true after it, and in the blocks that its block dominates
//     branch c: t f      c is true in t and in the blocks that t dominates, if the branch is the only way into t; c is
//                        false in f under the same condition
//
// The result of a comparison also gives the results of its negation and of the comparison with exchanged sides. The
// result of a class check may decide other class checks of the same object. A look-up costs one search, and a dominance
// test for each guard or branch with the same condition.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

class Conditions {
 public:
  // Records that the condition has the result `holds` in the block `from` and in the blocks that it dominates.
  void learn(const Node* condition, bool holds, const Block* from);
  // If the block has one predecessor, which ends in a branch, learn_from_edge() records the branch's condition: its
  // result is known in this block.
  void learn_from_edge(const Block* block);
  std::optional<bool> known(const Node* condition, const Block* at) const;

 private:
  struct Fact {
    const Block* from;
    bool holds;
  };
  struct ClassFact {
    const Block* from;
    const Node* test;
    bool holds;
  };
  // The key under which a fact about a condition is stored. A condition and its negation have the same key.
  struct ConditionKey {
    u64 what, left, right;
    bool is_negated;
    bool operator==(const ConditionKey& other) const {
      return what == other.what && left == other.left && right == other.right;
    }
  };
  struct Hash {
    usize operator()(const ConditionKey& key) const;
  };
  static ConditionKey key_of(const Node* condition);

  std::unordered_map<ConditionKey, std::vector<Fact>, Hash> facts_;
  std::unordered_map<const Node*, std::vector<ClassFact>> classes_;  // by node of the object
};

}  // namespace keyhole::graph
