// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Block order: the order in which blocks are emitted, and the expected number of executions of each block.
//
//   frequent blocks, in reverse postorder; the blocks of a loop stay together
//   rare blocks, in reverse postorder: blocks that only unlikely edges reach, or that lead only to deopt exits
#pragma once

#include <vector>

#include "jit/graph/low/low_graph.h"

namespace keyhole::middle {

struct BlockOrder {
  static constexpr u32 unreachable = ~0u;

  std::vector<low::BlockId> blocks;  // the reachable blocks, the entry first
  std::vector<u32> place;            // by BlockId: the index in `blocks`, or `unreachable`
  std::vector<u8> loop_depth;        // by BlockId
  std::vector<bool> is_rare;         // by BlockId
  std::vector<f32> weight;           // by BlockId: the expected number of executions
};

BlockOrder order_blocks(const low::Function& function);

}  // namespace keyhole::middle
