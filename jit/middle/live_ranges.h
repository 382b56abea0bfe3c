// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Live ranges: the positions at which each value and variable is live.
//
//   position   2k        operands of the kth emitted node are read
//              2k + 1    a call of Java clobbers all registers
//              2k + 2    the node's result is written; operands of the next node are read
//
// Positions follow the order of blocks (block_order.h). A range is a half-open interval of positions. If the last use
// of a value is at 2k, its range ends at 2k + 1, so the result of the same node may get the same register.
//
// L1: a phi is written at the start of its block. Its operands are read at the ends of the predecessors.
// L2: a node is dead if it has no effect and its value is not live. A Set is dead if its variable is not live. Dead
//     nodes are not emitted, and do not make their operands live.
#pragma once

#include "jit/middle/selection.h"

namespace keyhole::middle {

struct Range {
  u32 begin, end;
  u32 next;  // index in LiveRanges::ranges of the next range of this value, or `none` after the last one
};

struct LiveRanges {
  static constexpr u32 none = ~0u;

  std::vector<Range> ranges;
  std::vector<u32> first;   // by NodeId: index in `ranges` of the value's first range, or `none`
  std::vector<f32> weight;  // by NodeId: how often the value is expected to be read and written
  std::vector<u32> length;  // by NodeId: total length of the value's ranges
  // by NodeId: the position of the node, which is 2k if emitted[k] is the node; not valid for other nodes
  std::vector<u32> position;
  std::vector<low::NodeId> emitted;  // the nodes that get instructions, in the order of the code
  std::vector<u32> block_begin;      // by BlockOrder::place: index in `emitted` of the block's first node
  std::vector<u32> java_calls;       // the positions of calls of Java: 2k + 1 if emitted[k] is the call
  std::vector<low::NodeId> values;   // the nodes that have ranges
  // Whether the value is live at position `at`.
  bool is_live_at(low::NodeId value, u32 at) const {
    for (u32 i = first[value]; i != none; i = ranges[i].next) {
      if (ranges[i].begin <= at && at < ranges[i].end) return true;
    }
    return false;
  }
  u32 end = 0;  // an upper bound: all positions are smaller than `end`
};

LiveRanges find_live_ranges(const low::Function& function, const BlockOrder& order, const Selection& selection);

}  // namespace keyhole::middle
