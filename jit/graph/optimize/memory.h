// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Versions of the heap: which loads find the same, without looking for what has been written between them.
//
// The heap is seen in *parts* that no access has in common with another: fields of one name and offset, elements of one
// type. Before each node each part has a version, a number.
//
//     store to a part                   a new version of that part
//     call, monitor_enter, volatile     new versions of all parts
//     paths meet                        the same version on all of them, or a new one
//     loop header                       a new version of what the loop may write
//
// H1: two nodes with the same version of a part before them find the same values in it, whatever this thread has done
//     in between. What other threads write without synchronisation need not be seen (JLS 17.4).
// H2: fields that have different names, or different offsets, are different fields: a class that inherits a field has
//     it at the same offset.
#pragma once

#include <unordered_map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

class MemoryVersions {
 public:
  explicit MemoryVersions(const Graph& graph);

  // Of the part that a load reads or a store writes; of a store: behind it. 0: of no part.
  u32 version_of(const Node* node) const { return versions_[node->id]; }
  // May the loop with this header write what the load reads?
  bool is_written_in(const Block* header, const Node* load) const;

 private:
  static constexpr u32 all_parts = ~u32{0};

  // What a block, or a loop, may write.
  struct Writes {
    bool all = false;
    std::vector<u32> parts;
  };

  // The part of an access; all_parts: what has to be seen by others or lets theirs be seen; nothing: no access.
  static bool writes_all(const Node* node);
  u32 part_of(const Node* node);
  void find_writes(const Graph& graph);
  void find_loop_writes(const Graph& graph, const Block* header);
  void enter(const Block* block);
  void pass(const Block* block);

  std::unordered_map<u64, u32> numbers_;             // of parts, by what they are
  std::vector<u32> parts_;                           // by node
  std::vector<u32> versions_;                        // by node
  std::vector<Writes> block_writes_, loop_writes_;   // by block; of the loop that it heads
  std::vector<std::vector<u32>> at_end_;             // by block and part
  std::vector<u32> now_;                             // by part
  u32 last_version_ = 0;
};

}  // namespace keyhole::graph
