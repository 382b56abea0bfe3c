// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The control flow of a method's cells, with those handlers of exceptions that are compiled: all others are the
// interpreter's, and so is what only they reach. Which locals are live at each cell.
#pragma once

#include <string>
#include <vector>

#include "jit/code/cells.h"

namespace keyhole::graph {

struct FlowBlock {
  u32 first, last;                  // cells
  std::vector<u32> predecessors, successors;
  std::vector<u32> handlers;        // to which what it throws may lead: it is a predecessor of each
  bool is_handler = false;
  bool is_loop_header = false;
  u32 loop_depth = 0;               // loops of the method that it is in
  std::vector<bool> assigned;       // of a loop's header: locals that are written in the loop
};

class Flow {
 public:
  // What is reached from this cell. `handlers`: by number, those that are compiled.
  explicit Flow(const Cells& cells, u32 first = 0, const std::vector<bool>& handlers = {});

  // Why there is no graph of such code; empty: there is.
  const std::string& refusal() const { return refusal_; }
  // In reverse postorder: the first one starts at the first cell.
  const std::vector<FlowBlock>& blocks() const { return blocks_; }
  u32 block_at(u32 cell) const { return block_at_[cell]; }
  bool starts(u32 cell) const { return block_at_[cell] != none; }

 private:
  static constexpr u32 none = ~u32{0};
  void find_blocks(u32 first, const std::vector<bool>& handlers);
  std::vector<std::vector<u32>> handlers_of(const std::vector<FlowBlock>& found, const std::vector<u32>& number,
                                            const std::vector<bool>& handlers) const;
  void find_loops();
  void note_loop(u32 header, const std::vector<u32>& ends);
  void take_depths_of(const Flow& method);

  const Cells& cells_;
  std::vector<FlowBlock> blocks_;
  std::vector<u32> block_at_;       // by first cell
  std::string refusal_;
};

// Where execution may continue after the cell; not where an exception leads.
std::vector<u32> successors_of(const Cells& cells, u32 cell);

// A branch of the method leads backwards to this bci. False for what is no instruction. The method must have its cells.
bool begins_loop(Method* method, i32 bci);

// What a handler reads is live wherever its range is, the receiver of a synchronized method everywhere, as in the frame
// maps (vm/verify/frame_map.h).
class LocalLiveness {
 public:
  explicit LocalLiveness(const Cells& cells);
  // Before the cell.
  bool is_live(u32 cell, u32 local) const { return live_[u64{cell} * locals_ + local]; }

 private:
  u32 locals_;
  std::vector<bool> live_;
};

}  // namespace keyhole::graph
