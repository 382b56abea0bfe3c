// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory dependence: each load gets the version of the heap that it reads. Two loads of one address with equal versions
// find the same value, so no phase searches for stores between them.
//
// The heap is divided into *parts* (alias classes): all fields of one name and offset are a part, and so are all array
// elements of one type. No access touches two parts. Before each node, each part has a version, which is a number.
//
//     store to a part                   a new version of that part
//     call, monitor_enter, volatile     new versions of all parts
//     paths merge                       the version that all of them have, or a new one
//     loop header                       a new version of the parts that the loop may write
//
// H1: two nodes that see the same version of a part find the same values in it: between them this thread has not
//     written to the part. Writes of other threads without synchronization need not be seen (JLS 17.4).
// H2: two fields are different if their names or their offsets differ, because a class inherits a field at the same
//     offset.
#pragma once

#include <unordered_map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

class MemoryVersions {
 public:
  explicit MemoryVersions(const Graph& graph);

  // Returns the version of the field or element that the node accesses: a load reads this version, and a store makes
  // it. Returns 0 if the node does not access exactly one part of the heap. A part is one field of all objects, or all
  // array elements of one type.
  u32 version_of(const Node* node) const { return versions_[node->id]; }
  // Whether the loop may write the field or element that the load reads.
  bool is_written_in(const Block* header, const Node* load) const;

 private:
  static constexpr u32 all_parts = ~u32{0};

  // The parts of the heap that a block, or a loop, may write.
  struct Writes {
    bool all = false;
    std::vector<u32> parts;
  };

  // part_of returns the part of the heap that a node accesses, or no_part. writes_all tells whether the node orders
  // memory accesses, or may write to every part of the heap.
  static bool writes_all(const Node* node);
  u32 part_of(const Node* node);
  void find_writes(const Graph& graph);
  void find_loop_writes(const Graph& graph, const Block* header);
  void enter(const Block* block);
  void pass(const Block* block);

  std::unordered_map<u64, u32> numbers_;  // the number of each part of the heap, by the key that part_of() makes
  std::vector<u32> parts_;                // by node id: the part of the heap that the node accesses
  std::vector<u32> versions_;             // by node id: the result of version_of()
  // by block id: the writes of the block; and, for a loop's header, the writes of the loop
  std::vector<Writes> block_writes_, loop_writes_;
  std::vector<std::vector<u32>> at_end_;  // version of each part of the heap at the end of each block
  std::vector<u32> now_;  // during a walk over the graph: the version of each part of the heap at the current node
  u32 last_version_ = 0;
};

}  // namespace keyhole::graph
