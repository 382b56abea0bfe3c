// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks: jump targets, and the compile-time state at the start of each block, which is the same on every path to
// the block. In this state all operands are in their stack slots, all register copies of pinned locals are good, and
// only the copies in Block::dirty may be dirty.
//
// Entries: addresses at which the interpreter can hand a frame over to the code. Every reachable block has an entry,
// and so has each bytecode that follows a bytecode which the interpreter runs. Entries are emitted after the method's
// code. An entry loads the pinned locals first.
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
  // Notes that control reaches the bytecode with `depth` operands on the stack. The number is the same on each path.
  void reach(u32 instruction, u32 depth);

  // Returns the entry at the bytecode, or an invalid label if the bytecode has no entry.
  const Label& entry(u32 instruction) const { return entries_[instruction]; }
  Label make_entry(u32 instruction);

 private:
  const Instructions& instructions_;
  MacroAssembler& a_;
  std::vector<Block> blocks_;
  std::vector<Label> entries_;
};

}  // namespace keyhole::baseline
