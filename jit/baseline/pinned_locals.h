// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pinned locals: the locals used most in loops have a register for the whole method; the other locals are only in
// memory. The register holds a copy of the local, in one of three states:
//
//   copy    memory   state    until
//   old     new      stale    load(), before the local is read
//   same    same     good     a call or a bytecode that the interpreter runs (forget); a store (set_written)
//   new     old      dirty    write_back(), before calls, slow paths, bytecodes that the interpreter runs, and before
//                             jumps to a block that does not expect a dirty copy (Block::dirty)
//
// A dirty copy also counts as good. At the start of a block all copies are good. The states are bit sets, with one bit
// for each pinned local.
#pragma once

#include <vector>

#include "jit/baseline/blocks.h"
#include "jit/baseline/frame_layout.h"

namespace keyhole::baseline {

class PinnedLocals {
 public:
  PinnedLocals(MacroAssembler& a, const FrameLayout& frame) : a_(a), frame_(frame) {}

  // --- before the pass -----------------------------------------------------------------------------------------------
  // Chooses the locals with most accesses in loops. Each loop around an access multiplies its weight by eight.
  void choose(const Instructions& instructions);
  // Computes Block::dirty, the copies that may be dirty at the start of each block, from its predecessors. If the set
  // is too small, edges to the block need stores; if it is too large, later calls need stores.
  void find_dirty_at_starts(const Instructions& instructions, Blocks& blocks) const;

  bool is_pinned(u32 local) const { return pins_[local] >= 0; }
  bool is_pinned_vector(u32 local) const { return pins_[local] >= static_cast<i32>(xmm_base); }
  u32 register_of(u32 local) const { return static_cast<u32>(pins_[local]); }
  // Whether every access to the local has type int. If so, the upper half of its register is 0.
  bool is_int(u32 local) const { return is_int_[local]; }
  // Whether local 0 is the receiver throughout the method.
  bool receiver_is_constant() const { return receiver_is_constant_; }

  // --- state ---------------------------------------------------------------------------------------------------------
  bool is_good(u32 local) const { return (good_ & bit_of(local)) != 0; }
  u64 good() const { return good_; }
  u64 dirty() const { return dirty_; }
  void set_good(u64 positions) { good_ = positions; }
  void set_written(u32 local);
  void start_block(const Block& block);
  void forget() { good_ = dirty_ = 0; }

  // --- emission ------------------------------------------------------------------------------------------------------
  void load(u32 local);  // loads the local into its register if the copy is stale
  void load_all();
  // Loads the pinned arguments at the method's entry. Other locals have no value yet.
  void load_arguments(u32 argument_slots);
  void write_back(u64 positions);
  void write_back_all() { write_back(dirty_); }
  void write_back_for(const Block& target) { write_back(dirty_ & ~target.dirty); }

 private:
  u64 bit_of(u32 local) const;
  static std::vector<u8> loop_nesting(const Instructions& instructions);
  void assign(const std::vector<u32>& order, const std::vector<bool>& is_float, const std::vector<bool>& is_int);

  MacroAssembler& a_;
  const FrameLayout& frame_;
  std::vector<i8> pins_;      // by local: the number of its register, or -1
  std::vector<bool> is_int_;  // by local
  std::vector<u32> locals_;   // by position
  bool receiver_is_constant_ = false;
  u64 good_ = 0, dirty_ = 0;
};

}  // namespace keyhole::baseline
