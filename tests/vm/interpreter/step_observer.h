// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch table that checks operations.def. Before each operation runs, the table compares the effect of the frame's
// previous operation with that operation's columns, and these columns with the row of vm/bytecodes.def for the original
// instruction.
//
// For each frame the observer keeps the instruction that was dispatched last. The frame's next instruction shows where
// this instruction continued, and with how many operands. If the frame is gone, its last instruction was a return or
// has thrown. A frame is identified by its address; inner frames have higher addresses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/stack_effect.h"
#include "vm/metadata/constant_pool.h"
#include "vm/verify/code_shape.h"
#include "vm/verify/slot_types.h"

namespace keyhole::testing {

struct Columns {
  u32 pops, pushes, effects;
  char type;
};

// Returns the columns of an operation. For a superinstruction, the function adds up the columns of the parts. If the
// numbers of operands that an operation pops and pushes are not fixed, both numbers are 0, and only the effects are
// compared.
inline Columns columns_of(interpreter::Operation operation) {
  using namespace interpreter;
  const Parts& run = parts_of(operation);
  if (run.count == 0) {
    bool is_fixed = has_fixed_effect(operation);
    u32 pops = is_fixed ? slots_popped(operation) : 0, pushes = is_fixed ? slots_pushed(operation) : 0;
    return {pops, pushes, effects_of(operation), row(operation).type};
  }
  // `borrowed` counts operands that the parts pop but did not push; `own` counts operands that they push but do not
  // pop.
  u32 borrowed = 0, own = 0;
  for (u32 i = 0; i < run.count; ++i) {
    u32 pops = slots_popped(run.parts[i]);
    borrowed += pops - std::min(pops, own);
    own -= std::min(pops, own);
    own += slots_pushed(run.parts[i]);
  }
  return {borrowed, own, effects_of(operation), '-'};
}

class StepObserver {
 public:
  explicit StepObserver(JavaThread* thread) : thread_(thread), previous_table_(thread->dispatch) {
    for (interpreter::Handler& handler : table_) handler = observe;
    thread->dispatch = table_;
    active_ = this;
  }
  ~StepObserver() {
    thread_->dispatch = previous_table_;
    active_ = nullptr;
  }
  // Makes the observer compare the operation with the given columns, and not with its row in operations.def.
  void replace(interpreter::Operation operation, const Columns& columns) { replaced_ = {operation, columns}; }

  // Ends the observation after a call from C++ has returned. `exception` is the class of the exception that the call
  // threw, or empty.
  void finish(const std::string& exception) {
    using namespace interpreter;
    // If the last instruction of the first frame called no method, that instruction threw the exception.
    if (!exception.empty() && last_left_ && !has(last_left_->operation, effect::calls | effect::unresolved)) {
      bool is_null = exception == "java/lang/NullPointerException";
      u32 needed = is_null ? effect::throws_null | effect::throws : effect::throws;
      if (!may(last_left_->operation, needed)) complain(*last_left_, "throws " + exception);
    }
    last_left_.reset();
  }
  std::string take_complaint() { return std::exchange(complaint_, ""); }
  bool has_seen(interpreter::Operation operation) const { return seen_[interpreter::index_of(operation)]; }

 private:
  using Operation = interpreter::Operation;
  static constexpr u32 may_raise = interpreter::effect::throws | interpreter::effect::throws_null |
                                   interpreter::effect::safepoint | interpreter::effect::calls;
  struct Step {
    Frame* frame;
    const Method* method;
    const Instruction* pc;
    Operation operation;
    u32 depth;
  };

  static KEYHOLE_PRESERVE_NONE void observe(HANDLER_PARAMETERS) {
    if (active_ != nullptr && active_->thread_ == thread) active_->note(frame, pc, sp, word);
    GO((interpreter::plain_table[word & 0xFFFF]));
  }

  [[gnu::noinline]] void note(Frame* frame, const Instruction* pc, const Slot* sp, u64 word) {
    bool is_entry = frame->kind == FrameKind::Entry;
    while (!open_.empty() && (open_.back().frame > frame || (is_entry && open_.back().frame == frame))) {
      leave(open_.back());
      open_.pop_back();
    }
    if (is_entry) return;
    u32 depth = static_cast<u32>(sp - &frame->below_stack);
    Step now{frame, frame->method, pc, interpreter::operation_of(word), depth};
    seen_[interpreter::index_of(now.operation)] = true;
    compare_with_bytecode(now);
    if (!open_.empty() && open_.back().frame == frame) {
      step(open_.back(), now);
      open_.back() = now;
    } else {
      open_.push_back(now);
    }
  }

  u32 effects(Operation operation) const {
    return replaced_ && replaced_->first == operation ? replaced_->second.effects : interpreter::effects_of(operation);
  }
  bool may(Operation operation, u32 any_of) const { return (effects(operation) & any_of) != 0; }
  StackEffect moved(Operation operation, const Method* method, const Instruction* pc) const {
    if (replaced_ && replaced_->first == operation && interpreter::has_fixed_effect(operation)) {
      return {replaced_->second.pops, replaced_->second.pushes};
    }
    return interpreter::stack_effect(operation, method, method->body.load()->bci_of(pc));
  }

  void step(const Step& from, const Step& to) {
    using namespace interpreter;
    if (to.pc == from.pc) {  // the instruction ran again, after it was resolved or after a poll
      if (!may(from.operation, effect::unresolved | effect::safepoint)) complain(from, "is executed again");
      if (to.depth != from.depth) complain(from, "is executed again with another depth");
      return;
    }
    const Parts& run = parts_of(from.operation);
    u32 length = std::max(run.count, 1u);
    i64 distance = to.pc - from.pc;
    // A superinstruction may end after any of its parts.
    i64 depth = from.depth;
    for (u32 i = 0; i < length; ++i) {
      Operation part = run.count == 0 ? from.operation : run.parts[i];
      StackEffect effect = moved(part, from.method, from.pc + i);
      if (depth < effect.pops) return complain(from, "pops more than there is");
      depth += static_cast<i64>(effect.pushes) - effect.pops;
      bool is_last = i + 1 == length;
      if (distance == i + 1 && !(is_last && may(part, effect::ends_block) && !may(part, effect::branches))) {
        if (depth != to.depth) complain(from, fmt::format("has {} operands afterwards, not {}", to.depth, depth));
        return;
      }
      if (is_last && may(part, effect::branches)) {
        if (depth != to.depth) complain(from, fmt::format("branches with {} operands, not {}", to.depth, depth));
        return;
      }
    }
    // An instruction that neither falls through nor branches must have thrown. Execution then continues at a handler,
    // with the exception as the only operand.
    if (!may(from.operation, may_raise)) complain(from, "goes on elsewhere");
    if (to.depth != 1) complain(from, "goes on elsewhere, not at a handler");
  }

  void leave(const Step& last) {
    using namespace interpreter;
    last_left_ = last;
    bool returns = may(last.operation, effect::ends_block) && !may(last.operation, effect::branches);
    if (!returns && !may(last.operation, may_raise)) complain(last, "leaves its frame");
  }

  // An operation may have fewer effects than the bytecode from which it was decoded, but no other effects.
  void compare_with_bytecode(const Step& now) {
    using namespace interpreter;
    Operation plain = plain_operation(now.operation);
    u32 bci = now.method->body.load()->bci_of(now.pc);
    u8 opcode = effective_opcode(now.method->code, bci);
    u32 own = effects(plain), allowed = bytecode::row(opcode).flags;
    constexpr u32 same = bytecode::flag::branches | bytecode::flag::ends_block | bytecode::flag::calls;
    constexpr u32 fewer = bytecode::flag::safepoint | bytecode::flag::blocks | bytecode::flag::writes_ref;
    if (((own ^ allowed) & same) != 0) complain(now, "does not branch, end or call as its bytecode does");
    u32 more = own & fewer & ~allowed;
    bool polls = has(plain, effect::branches) && more == effect::safepoint;  // by its direction
    if (more != 0 && !polls) complain(now, "does more than its bytecode");
    bool throws = (own & (effect::throws | effect::throws_null)) != 0;
    if (throws && (allowed & bytecode::flag::throws) == 0) complain(now, "throws, its bytecode does not");
    bool is_pure = (own & effect::pure) != 0;
    if (!is_pure && (allowed & bytecode::flag::pure) != 0) complain(now, "is not pure, its bytecode is");
    StackEffect effect = moved(plain, now.method, now.pc), expected = keyhole::stack_effect(now.method, bci);
    if (effect.pops != expected.pops || effect.pushes != expected.pushes) complain(now, "moves the stack differently");
  }

  void complain(const Step& step, const std::string& what) {
    if (!complaint_.empty()) return;
    u32 bci = step.method->body.load()->bci_of(step.pc);
    complaint_ = fmt::format("{} at bci {} of {}: {}", interpreter::name_of(step.operation), bci,
                             step.method->external_name(), what);
  }

  static inline StepObserver* active_ = nullptr;
  static inline interpreter::Handler table_[interpreter::operation_count];

  JavaThread* thread_;
  const void* previous_table_;
  std::vector<Step> open_;
  std::optional<Step> last_left_;
  std::optional<std::pair<Operation, Columns>> replaced_;
  bool seen_[interpreter::operation_count] = {};
  std::string complaint_;
};

}  // namespace keyhole::testing
