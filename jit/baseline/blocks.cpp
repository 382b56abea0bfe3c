// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds basic blocks, and creates the labels of entries.
#include "jit/baseline/blocks.h"

#include "runtime/base/check.h"

namespace keyhole::baseline {

using namespace interpreter;

Blocks::Blocks(const Instructions& instructions, MacroAssembler& a)
    : instructions_(instructions), a_(a), blocks_(instructions.count() + 1), entries_(instructions.count() + 1) {
  auto target = [&](u32 from, u32 instruction) {
    blocks_[instruction].starts = true;
    if (instruction <= from) blocks_[instruction].is_backward_target = true;
  };
  for (u32 i = 0; i < instructions.count(); ++i) {
    Operation operation = instructions.operation(i);
    if (is_branch(operation)) target(i, instructions.target_of(i));
    else if (is_switch(operation)) {
      for (u32 instruction : instructions.switch_targets(i)) target(i, instruction);
    }
  }
  for (u32 i = 0; i < instructions.method()->handler_count; ++i) {
    Block& handler = blocks_[instructions.body()->handler_starts[i]];
    handler.starts = true;
    handler.depth = 1;
  }
  for (Block& block : blocks_) {
    if (block.starts) block.label = a.newLabel();
  }
}

void Blocks::reach(u32 instruction, u32 depth) {
  Block& block = blocks_[instruction];
  KEYHOLE_CHECK(block.depth < 0 || block.depth == static_cast<i32>(depth), "two depths of {} at bci {}",
                instructions_.method()->external_name(), instructions_.bci(instruction));
  block.depth = static_cast<i32>(depth);
}

Label Blocks::make_entry(u32 instruction) {
  entries_[instruction] = a_.newLabel();
  return entries_[instruction];
}

}  // namespace keyhole::baseline
