// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions that are known where a block is: a guard has passed, or a branch was taken to get there.
//
//     guard c            c is true behind it, and in the blocks that its block dominates
//     branch c: t f      c is true in t and what it dominates, if there is no other way to t; false in f alike
//
// A comparison is known when it, its contrary, or it with its sides exchanged is. What holds for an object's class
// answers other questions about it. Each question costs a look-up, and a comparison for each guard or branch that has
// asked the same.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

class Conditions {
 public:
  // From this block on.
  void learn(const Node* condition, bool holds, const Block* from);
  // The block's predecessor says it, if it has only one.
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
  // Equal for conditions that are each other or contrary.
  struct ConditionKey {
    u64 what, left, right;
    bool is_negated;
    bool operator==(const ConditionKey& other) const {
      return what == other.what && left == other.left && right == other.right;
    }
  };
  struct Hash {
    usize operator()(const ConditionKey& question) const;
  };
  static ConditionKey key_of(const Node* condition);

  std::unordered_map<ConditionKey, std::vector<Fact>, Hash> facts_;
  std::unordered_map<const Node*, std::vector<ClassFact>> classes_;   // by object
};

}  // namespace keyhole::graph
