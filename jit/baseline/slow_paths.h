// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow paths. For what the code does not do itself (a null receiver, a full TLAB, an unresolved class) the
// interpreter's handler of the same cell runs: the operands go to their homes as they were before the cell (O1 of
// operand_registers.h), and dirty copies of pinned locals to memory. Then
//
//     step    run this cell's handler with the single-step table, then continue in the code after the cell
//     leave   continue in the interpreter with this cell
//
// In an inlined callee both leave at the invoke: the interpreter makes the call. A third kind calls from the code
// itself (add_call). A fourth ends a profiling interval, when a backward branch has been counted down to zero
// (end_profiling): the interpreter tells the tier policy and takes the branch.
//
// Emitted after the method's code, in order: rare parts of cells (add_cold), the slow paths, what the slow paths share.
#pragma once

#include <functional>
#include <vector>

#include "jit/baseline/operand_stack.h"
#include "jit/code/stubs.h"
#include "vm/interpreter/compiled_code.h"

namespace keyhole::baseline {

struct SlowPath {
  enum Way : u8 { Step, Leave, EndProfiling };

  Label label;
  u32 cell = 0;
  Way way = Step;
  bool counts = false;                 // it is unresolved: when that many have run, the method is recompiled
  std::vector<Value> before = {};
  u64 dirty = 0;                       // pinned locals that are written back first
  std::function<void()> call = {};     // not stepped: this is emitted
  bool returns_value = false;          // ... and has its result in rdx
  // Where a step or a call continues, when that is compiled code: the label, the entry that the interpreter uses, the
  // state there.
  Label again = {}, entry = {};
  std::vector<Value> after = {};
  u64 good_after = 0;
};

class SlowPaths {
 public:
  SlowPaths(MacroAssembler& a, const FrameLayout& frame, PinnedLocals& locals, ValueMover& values,
            OperandStack& stack, const Cells& cells, const Stubs& stubs)
      : a_(a), frame_(frame), locals_(locals), values_(values), stack_(stack), cells_(cells), stubs_(stubs) {}

  // --- of the cell being compiled ------------------------------------------------------------------------------------
  void begin_cell(u32 cell);
  Label step() { return paths_[step_path()].label; }
  Label leave() { return paths_[leave_path()].label; }
  Label end_profiling();
  u32 step_path();    // the same as an index
  u32 leave_path();
  bool has_step() const { return step_.has_value(); }
  // The interpreter always runs the cell; what follows is reachable only through an entry. All operands are in their
  // homes then.
  void always_step(bool counts);
  void always_leave(bool counts);
  bool is_always_interpreted() const { return is_always_interpreted_; }
  // The cell is done: its step continues here.
  void resume_step_here(const Label& again, const Label& entry);
  // A call instead, with all operands in their homes; later, where it continues.
  u32 add_call(u32 cell, std::function<void()> call);
  void resume_call_here(u32 path, bool returns_value);
  // Between these two calls, cells are those of a callee inlined at `cell`.
  void begin_inlining(u32 cell) { inlined_at_ = cell; }
  void end_inlining() { inlined_at_.reset(); }

  // --- behind the code -----------------------------------------------------------------------------------------------
  // It jumps back. No copy of a pinned local is good there.
  void add_cold(std::function<void()> emit) { cold_.push_back(std::move(emit)); }
  // `unresolved_left` counts the steps and leaves of unresolved cells.
  void emit(const std::atomic<i32>& unresolved_left);
  const Label& label(u32 path) const { return paths_[path].label; }

 private:
  u32 add(u32 cell, SlowPath::Way way);
  void always(u32 path, bool counts);
  void emit_path(const SlowPath& path);
  void emit_ways_out(const std::atomic<i32>& unresolved_left);
  void resume_after(const SlowPath& path);

  MacroAssembler& a_;
  const FrameLayout& frame_;
  PinnedLocals& locals_;
  ValueMover& values_;
  OperandStack& stack_;
  const Cells& cells_;   // of the method, not of what is inlined
  const Stubs& stubs_;
  std::vector<SlowPath> paths_;
  std::vector<std::function<void()>> cold_;
  u32 cell_ = 0;
  std::optional<u32> step_, leave_, inlined_at_;   // of the cell: paths; the invoke
  bool is_always_interpreted_ = false;
  Label ways_out_[3][2];   // [way][counts]: the shared ends of slow paths
};

}  // namespace keyhole::baseline
