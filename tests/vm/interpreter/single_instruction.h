// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes one instruction alone. Its handler gets a dispatch table in which every entry stops, so the result is that
// of this one instruction.
//
//   Entry frame | 4 slots | operands ...     on the thread's Java stack: a handler that throws runs Java code above
//
// An exception leaves this frame like any Entry frame, by the handler exit_to_vm of the thread's own table.
#pragma once

#include <string>
#include <vector>

#include "tests/vm/interpreter/vector_class.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::testing {

struct InstructionState {
  std::vector<Slot> operands, locals;  // the last element of `operands` is the top of the stack
  std::string exception = {};          // after the run: the class of the exception, else empty
  i64 instructions = 0;                // after the run: by how many instructions pc has moved
};

class SingleInstruction {
 public:
  static constexpr u32 following = 8,
                       preceding = 8;  // instructions before and after the executed one: targets of branches

  explicit SingleInstruction(JavaThread* thread) : thread_(thread), caller_(thread->top_frame) {
    frame_ = reinterpret_cast<Frame*>(caller_ != nullptr ? caller_->sp + 1 : thread->stack.java_base);
    frame_->caller = caller_;
    frame_->method = nullptr;
    frame_->pc = interpreter::entry_instruction();
    frame_->locals = nullptr;
    frame_->kind = FrameKind::Entry;
    frame_->lock_record_base = thread->lock_record_top;
    frame_->native_sp = __builtin_frame_address(0);
    // The frame calls a method without arguments, so the collector visits no slot above the frame.
    Method* callee = vector_class()->find_declared_method(Symbol::intern("constants"), Symbol::intern("()V"));
    frame_->below_stack = reinterpret_cast<Slot>(callee);
    frame_->sp = &frame_->below_stack;
    thread->top_frame = frame_;
    if (thread->dispatch == nullptr) thread->dispatch = interpreter::active_table();
    for (interpreter::Handler& handler : stopping_) handler = stop;
  }
  ~SingleInstruction() { thread_->top_frame = caller_; }

  // Runs the instruction `word` in the given state. All instructions around it get `distance`, in bytes, as their
  // operand b.
  InstructionState run(u64 word, const InstructionState& state, i32 distance = 0) {
    for (Instruction& instruction : instructions_) instruction = {0, 0, distance};
    Slot* base = frame_->stack_base() + 4;
    Slot* sp = base + state.operands.size() - 1;
    for (usize i = 0; i < state.operands.size(); ++i) base[i] = state.operands[i];
    *sp = 0xDEAD;  // the stack slot of the value in a register
    InstructionState after{{}, state.locals};
    stopped_ = nullptr;
    enter(interpreter::plain_table[word & 0xFFFF], &instructions_[preceding], sp, after.locals.data(), thread_, frame_,
          stopping_, state.operands.back(), word);
    thread_->top_frame = frame_;
    if (has_exception(thread_)) {
      after.exception = exception_text(thread_);
      frame_->sp = &frame_->below_stack;
      return after;
    }
    after.instructions = stopped_ - &instructions_[preceding];
    after.operands.assign(base, stopped_sp_);
    after.operands.push_back(stopped_tos_);
    return after;
  }

 private:
  static KEYHOLE_PRESERVE_NONE void stop(const Instruction* pc, Slot* sp, Slot*, JavaThread*, Frame*, const void*,
                                         Slot tos, u64) {
    stopped_ = pc;
    stopped_sp_ = sp;
    stopped_tos_ = tos;
  }
  // Enters a handler from C++, like the function `enter` in vm/interpreter/java_call.cpp (handlers.h, H4).
  [[gnu::noinline]] __attribute__((no_sanitize("address", "thread", "undefined"))) static void enter(
      interpreter::Handler handler, const Instruction* pc, Slot* sp, Slot* locals, JavaThread* thread, Frame* frame,
      const void* table, Slot tos, u64 word) {
    handler(pc, sp, locals, thread, frame, table, tos, word);
  }

  static inline const Instruction* stopped_;
  static inline Slot* stopped_sp_;
  static inline Slot stopped_tos_;
  static inline interpreter::Handler stopping_[interpreter::operation_count];

  JavaThread* thread_;
  Frame* caller_;
  Frame* frame_;
  Instruction instructions_[preceding + 1 + following];
};

}  // namespace keyhole::testing
