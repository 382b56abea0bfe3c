// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow paths: cases that compiled code leaves to the interpreter, such as a null receiver, a full TLAB or an unresolved
// class. The operands are stored to their stack slots as they were before the instruction (O1 of operand_registers.h),
// and dirty copies of pinned locals to memory. Then the path continues according to its kind:
//
//     fallback       interpreter fallback for one bytecode: runs the handler of this instruction with the single-step
//                    table, then continues in the code after it
//     side exit      continues in the interpreter, at this instruction
//     end profiling  a backward branch has been counted down to zero (end_profiling): the interpreter reports that to
//                    the tier policy and takes the branch
//     call           calls from the code itself (add_call)
//
// In an inlined callee a fallback becomes a side exit at the invoke, and the interpreter executes the whole call.
//
// The following code is emitted after the method's main code, in this order: rare parts of instructions (add_cold),
// slow paths, the shared ends of slow paths.
#pragma once

#include <functional>
#include <vector>

#include "jit/baseline/operand_snapshots.h"
#include "jit/baseline/operand_stack.h"
#include "jit/code/stubs.h"
#include "vm/code/compiled_code.h"

namespace keyhole::baseline {

struct SlowPath {
  enum Kind : u8 { Fallback, SideExit, EndProfiling };

  Label label;
  u32 instruction = 0;
  Kind kind = Fallback;
  bool counts = false;  // the instruction is unresolved, so each use of the path counts towards recompilation
  OperandSnapshot before = {};
  u64 dirty = 0;                    // dirty pinned locals, which the path writes back first
  std::function<void()> call = {};  // emits the path's code in place of an exit to the interpreter
  bool returns_value = false;       // the result of `call` is in rdx
  // After a fallback or a call, the code continues at `again`; the interpreter hands the frame over at `entry`. The
  // state there is `after` and `good_after`.
  Label again = {}, entry = {};
  OperandSnapshot after = {};
  u64 good_after = 0;
};

class SlowPaths {
 public:
  SlowPaths(MacroAssembler& a, const FrameLayout& frame, PinnedLocals& locals, ValueMover& values, OperandStack& stack,
            const Instructions& instructions, const Stubs& stubs)
      : a_(a), frame_(frame), locals_(locals), values_(values), stack_(stack), instructions_(instructions),
        stubs_(stubs) {}

  // --- the bytecode being compiled -----------------------------------------------------------------------------------
  void begin_instruction(u32 instruction);
  Label fallback() { return paths_[fallback_path()].label; }
  Label side_exit() { return paths_[side_exit_path()].label; }
  Label end_profiling();
  u32 fallback_path();  // returns the path's index in paths_
  u32 side_exit_path();
  bool has_fallback() const { return fallback_.has_value(); }
  // Lets the interpreter always execute this instruction. Control reaches the code after the instruction only through
  // an entry, with all operands in their stack slots.
  void always_fallback(bool counts);
  void always_side_exit(bool counts);
  bool is_always_interpreted() const { return is_always_interpreted_; }
  // Lets the instruction's fallback continue at the current position, after the code of the instruction.
  void resume_fallback_here(const Label& again, const Label& entry);
  // Adds a slow path with a call, for which all operands are in their stack slots. resume_call_here() sets the position
  // at which the path continues.
  u32 add_call(u32 instruction, std::function<void()> call);
  void resume_call_here(u32 path, bool returns_value);
  // Between begin_inlining() and end_inlining(), the current instructions belong to a callee that is inlined at
  // `instruction`.
  void begin_inlining(u32 instruction) { inlined_at_ = instruction; }
  void end_inlining() { inlined_at_.reset(); }

  // --- after the code ------------------------------------------------------------------------------------------------
  // Adds a rare part, which `emit` emits and which ends with a jump back. It must not use the register copies of pinned
  // locals.
  void add_cold(std::function<void()> emit) { cold_.push_back(std::move(emit)); }
  // Emits the rare parts, the slow paths and their shared ends. Fallbacks and side exits of unresolved instructions
  // decrement `unresolved_left`.
  void emit(const std::atomic<i32>& unresolved_left);
  const Label& label(u32 path) const { return paths_[path].label; }

 private:
  u32 add(u32 instruction, SlowPath::Kind kind);
  void always(u32 path, bool counts);
  void emit_path(const SlowPath& path);
  void emit_exits(const std::atomic<i32>& unresolved_left);
  void resume_after(const SlowPath& path);

  MacroAssembler& a_;
  const FrameLayout& frame_;
  PinnedLocals& locals_;
  ValueMover& values_;
  OperandStack& stack_;
  const Instructions& instructions_;  // those of the method itself, even while a callee is inlined
  const Stubs& stubs_;
  std::vector<SlowPath> paths_;
  OperandSnapshots snapshots_;
  std::vector<std::function<void()>> cold_;
  u32 instruction_ = 0;
  // The indices of the current instruction's paths, and, while a callee is inlined, the index of its invoke.
  std::optional<u32> fallback_, side_exit_, inlined_at_;
  bool is_always_interpreted_ = false;
  Label exits_[3][2];  // shared ends of slow paths, by kind and `counts`
};

}  // namespace keyhole::baseline
