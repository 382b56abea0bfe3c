// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two passes over the code: instruction starts, then targets and block borders.
#include "vm/verify/code_shape.h"

namespace keyhole {

bool CodeShape::scan(const Method* method) {
  const u8* code = method->code;
  u32 length = method->code_length;
  auto fail = [&](ShapeFault fault, u32 where) {
    fault_ = fault;
    fault_bci_ = where;
    return false;
  };
  if (code == nullptr || length == 0) return fail(ShapeFault::EmptyCode, 0);

  marks_.assign(length, 0);
  for (u32 bci = 0; bci < length;) {
    u32 bytes = bytecode::length_at(code, bci, length);
    if (bytes == 0) return fail(ShapeFault::BadInstruction, bci);
    marks_[bci] |= start;
    if (is_subroutine_call(code[bci])) has_subroutines_ = true;
    bci += bytes;
  }

  marks_[0] |= leader;
  for (u32 bci = 0; bci < length;) {
    bool sound = true;
    for_each_branch_target(code, bci, [&](u32 target) {
      if (!starts_at(target)) {
        sound = false;
        return;
      }
      marks_[target] |= leader;
      if (target <= bci) marks_[target] |= loop_head;
    });
    if (!sound) return fail(ShapeFault::BadTarget, bci);
    u32 next = bci + bytecode::length_at(code, bci, length);
    bool ends = has_subroutines_ ||
                bytecode::has(effective_opcode(code, bci), bytecode::flag::branches | bytecode::flag::ends_block);
    if (ends && next < length) marks_[next] |= leader;
    bci = next;
  }

  for (u32 index = 0; index < method->handler_count; ++index) {
    const ExceptionHandler& handler = method->handlers[index];
    bool range = starts_at(handler.start_bci) && handler.start_bci < handler.end_bci &&
                 (handler.end_bci == length || starts_at(handler.end_bci));
    if (!range) return fail(ShapeFault::BadHandlerRange, index);
    if (!starts_at(handler.handler_bci)) return fail(ShapeFault::BadHandler, index);
    marks_[handler.start_bci] |= leader;
    marks_[handler.handler_bci] |= leader;
    if (handler.end_bci < length) marks_[handler.end_bci] |= leader;
  }
  return true;
}

}  // namespace keyhole
