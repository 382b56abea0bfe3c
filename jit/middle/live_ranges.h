// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Live ranges: where each value and variable is needed.
//
//   position   2k        operands of the kth emitted node are read
//              2k + 1    a call of Java clobbers all registers
//              2k + 2    the node's result is written; operands of the next node are read
//
// Blocks are numbered in the order of block_order.h. A range is a half-open interval of positions. A value whose last
// use is at 2k ends at 2k + 1, so a result may take an operand's register.
//
// L1: a phi is written at the begin of its block, and its operands are read at the end of the predecessors.
// L2: a node without effect whose value is not live is not emitted, and does not keep its operands alive. Neither does
//     a Set of a variable that is not live.
#pragma once

#include "jit/middle/selection.h"

namespace keyhole::middle {

struct Range {
  u32 begin, end;
  u32 next;  // index of another range of the value, or LiveRanges::none
};

struct LiveRanges {
  static constexpr u32 none = ~0u;

  std::vector<Range> ranges;
  std::vector<u32> first;            // by NodeId: the value's first range, or none
  std::vector<f32> weight;           // by NodeId: expected number of reads and writes
  std::vector<u32> length;           // by NodeId: the sum of its ranges
  std::vector<u32> position;         // by NodeId: 2k for the kth node of `emitted`
  std::vector<low::NodeId> emitted;  // in order; dead ones are left out
  std::vector<u32> block_begin;      // by place in BlockOrder::blocks: the index in `emitted` of the block's first node
  std::vector<u32> java_calls;       // positions 2k + 1
  std::vector<low::NodeId> values;   // the nodes that have ranges
  // Whether the value is live at the position.
  bool is_live_at(low::NodeId value, u32 at) const {
    for (u32 i = first[value]; i != none; i = ranges[i].next) {
      if (ranges[i].begin <= at && at < ranges[i].end) return true;
    }
    return false;
  }
  u32 end = 0;  // one more than the last position
};

LiveRanges find_live_ranges(const low::Function& function, const BlockOrder& order, const Selection& selection);

}  // namespace keyhole::middle
