// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks: jump targets, and the state at their start, which is the same on every path. All operands are in their
// stack slots, all copies of pinned locals are good, and only copies that the block names may be dirty.
//
// Entries: addresses at which the interpreter can hand a frame over to the code, by bytecode. Every reachable block has
// one, and so has each bytecode after one that the interpreter runs. Entries are emitted after the code; they load the
// pinned locals first.
#pragma once

#include <vector>

#include "jit/baseline/macro_assembler.h"
#include "jit/code/instructions.h"

namespace keyhole::baseline {

using interpreter::Operation;

struct Block {
  bool starts = false;  // a jump leads to this bytecode
  bool is_backward_target = false;
  i32 depth = -1;  // number of operands; negative: not reached yet
  u64 dirty = 0;   // copies of pinned locals that may be dirty here, as bits by position
  Label label;
};

class Blocks {
 public:
  // Blocks start at targets of branches and switches, and at exception handlers.
  Blocks(const Instructions& instructions, MacroAssembler& a);

  bool starts(u32 instruction) const { return instruction < instructions_.count() && blocks_[instruction].starts; }
  Block& operator[](u32 instruction) { return blocks_[instruction]; }
  const Label& label(u32 instruction) const { return blocks_[instruction].label; }
  // Notes that control reaches the bytecode with `depth` operands. The number is the same on each path.
  void reach(u32 instruction, u32 depth);

  // The entry at the bytecode. An invalid label means that it has none.
  const Label& entry(u32 instruction) const { return entries_[instruction]; }
  Label make_entry(u32 instruction);

 private:
  const Instructions& instructions_;
  MacroAssembler& a_;
  std::vector<Block> blocks_;
  std::vector<Label> entries_;
};

}  // namespace keyhole::baseline
