// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits code that emitters of several categories need.
#include "jit/baseline/emitters/emitter.h"

#include "runtime/object/object.h"
#include "runtime/threads/java_thread.h"
#include "vm/interpreter/stack_effect.h"
#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

Emitter::Emitter(Compilation& compilation)
    : compilation_(compilation), a_(compilation.a), frame_(compilation.frame), blocks_(compilation.blocks),
      locals_(compilation.locals), values_(compilation.values), stack_(compilation.stack),
      registers_(compilation.registers), slow_paths_(compilation.slow_paths), null_checks_(compilation.null_checks) {}

void Emitter::interpret(Operation operation) {
  StackEffect moved = interpreter::stack_effect(operation, instructions().method(), instructions().bci(instruction()));
  slow_paths_.always_fallback(has(operation, interpreter::effect::unresolved));
  stack_.drop(moved.pops);
  stack_.push_stack_slots(moved.pushes);
}

void Emitter::always_side_exit() {
  slow_paths_.always_side_exit(false);
  compilation_.is_reachable = false;
}

void Emitter::poll() {
  a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
  a_.jne(slow_paths_.fallback());
}

void Emitter::store_reference(Mem to, const Value& value) {
  to.setSize(4);
  if (value.is_zero()) {
    a_.mov(to, imm(0));
  } else {
    values_.load(x86::rax, value);
    a_.shr(x86::rax, imm(narrow_shift));
    a_.mov(to, x86::eax);
  }
  a_.store_barrier(to);
}

}  // namespace keyhole::baseline
