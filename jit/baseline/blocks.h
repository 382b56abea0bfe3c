// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks: jump targets, and the state there on every path. All operands are in their stack slots, all copies of
// pinned locals are good, and only those that the block names may be dirty.
//
// Entries: where a frame can be handed over to the code, by cell. Every reachable block has one (behind the code; it
// loads the pinned locals first), and so has each cell after one that the interpreter runs.
#pragma once

#include <vector>

#include "jit/baseline/macro_assembler.h"
#include "jit/code/cells.h"

namespace keyhole::baseline {

using interpreter::Operation;

struct Block {
  bool starts = false;   // a jump leads here
  bool is_backward_target = false;
  i32 depth = -1;        // operands; negative: not reached yet
  u64 dirty = 0;         // PinnedLocals' positions: copies that may be dirty here
  Label label;
};

class Blocks {
 public:
  // Of the targets of branches and switches, and exception handlers.
  Blocks(const Cells& cells, MacroAssembler& a);

  bool starts(u32 cell) const { return cell < cells_.count() && blocks_[cell].starts; }
  Block& operator[](u32 cell) { return blocks_[cell]; }
  const Label& label(u32 cell) const { return blocks_[cell].label; }
  // Control reaches the cell with so many operands, the same number on each path.
  void reach(u32 cell, u32 depth);

  // Not valid: there is none.
  const Label& entry(u32 cell) const { return entries_[cell]; }
  Label make_entry(u32 cell);

 private:
  const Cells& cells_;
  MacroAssembler& a_;
  std::vector<Block> blocks_;
  std::vector<Label> entries_;
};

}  // namespace keyhole::baseline
