// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds basic blocks, and emits entries.
#include "jit/baseline/blocks.h"

#include "runtime/base/check.h"

namespace keyhole::baseline {

using namespace interpreter;

Blocks::Blocks(const Cells& cells, MacroAssembler& a)
    : cells_(cells), a_(a), blocks_(cells.count() + 1), entries_(cells.count() + 1) {
  auto target = [&](u32 from, u32 cell) {
    blocks_[cell].starts = true;
    if (cell <= from) blocks_[cell].is_backward_target = true;
  };
  for (u32 i = 0; i < cells.count(); ++i) {
    Operation operation = cells.operation(i);
    if (is_branch(operation)) target(i, cells.target_of(i));
    else if (is_switch(operation)) {
      for (u32 cell : cells.switch_targets(i)) target(i, cell);
    }
  }
  for (u32 i = 0; i < cells.method()->handler_count; ++i) {
    Block& handler = blocks_[cells.body()->handler_cells[i]];
    handler.starts = true;
    handler.depth = 1;
  }
  for (Block& block : blocks_) {
    if (block.starts) block.label = a.newLabel();
  }
}

void Blocks::reach(u32 cell, u32 depth) {
  Block& block = blocks_[cell];
  KEYHOLE_CHECK(block.depth < 0 || block.depth == static_cast<i32>(depth), "two depths of {} at bci {}",
                cells_.method()->external_name(), cells_.bci(cell));
  block.depth = static_cast<i32>(depth);
}

Label Blocks::make_entry(u32 cell) {
  entries_[cell] = a_.newLabel();
  return entries_[cell];
}

}  // namespace keyhole::baseline
