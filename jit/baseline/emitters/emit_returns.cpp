// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits returns.
#include "jit/baseline/emitters/emit_returns.h"

#include <utility>

namespace keyhole::baseline {

using namespace interpreter;

void ReturnEmitter::emit(Operation operation, u64) {
  u32 slots = slots_popped(operation);
  bool is_checked = is_checked_return(operation);
  if (operation == Operation::return_register_finalizer ||
      (is_checked && !LockEmitter::is_entered_inline(instructions().method()))) {
    return always_side_exit();
  }
  if (is_checked) {
    registers_.reserve(slots, 2);
    locks_.release_at_return();
  }
  if (slots != 0) {
    values_.load(x86::rdx, stack_.pop(slots == 2));
    a_.narrow(x86::rdx, row(operation).type);
  }
  a_.lea(x86::rcx, x86::ptr(locals_register, (static_cast<i32>(slots) - 1) * static_cast<i32>(sizeof(Slot))));
  if (slots == 0) a_.mov(x86::rdx, x86::qword_ptr(x86::rcx));
  a_.xor_(x86::eax, x86::eax);
  a_.ret();
  compilation_.is_reachable = false;
}

bool ReturnEmitter::emit_in_place(u32 instruction) {
  Operation operation = instructions().operation(instruction);
  const OperationRow& columns = row(operation);
  bool is_long = columns.type != '-' || has(operation, effect::throws);
  if (columns.category != Category::return_ || is_long) return false;
  u32 outer = std::exchange(compilation_.instruction, instruction);
  slow_paths_.begin_instruction(instruction);
  stack_.keep_before();
  emit(operation, instructions().word(instruction));
  compilation_.instruction = outer;
  return true;
}

}  // namespace keyhole::baseline
