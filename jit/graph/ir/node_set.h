// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A set of a graph's nodes as a bit vector, so that a union processes a word at a time.
#pragma once

#include <bit>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

class NodeSet {
 public:
  explicit NodeSet(usize nodes) : words_((nodes + bits - 1) / bits) {}

  void add(const Node* node) { words_[node->id / bits] |= bit(node); }
  void remove(const Node* node) { words_[node->id / bits] &= ~bit(node); }
  // Returns true if the set has grown.
  bool add_all(const NodeSet& other) {
    u64 added = 0;
    for (usize i = 0; i < words_.size(); ++i) {
      added |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return added != 0;
  }
  void remove_all(const NodeSet& other) {
    for (usize i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  // Calls `visit` with each id, in ascending order.
  template <typename Visit> void for_each_id(Visit&& visit) const {
    for (usize i = 0; i < words_.size(); ++i) {
      for (u64 left = words_[i]; left != 0; left &= left - 1)
        visit(static_cast<u32>(i * bits) + static_cast<u32>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr u32 bits = 64;
  static u64 bit(const Node* node) { return u64{1} << (node->id % bits); }

  std::vector<u64> words_;
};

}  // namespace keyhole::graph
