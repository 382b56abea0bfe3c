// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlines small methods.
#include "jit/baseline/inliner.h"

#include <utility>

#include "jit/baseline/emitters/emitters.h"
#include "jit/baseline/inlining.h"
#include "runtime/base/flags.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

bool Inliner::is_enabled() { return flags::Inline && flags::GCStressSafepointInterval == 0; }

bool Inliner::inline_call(Method* target) {
  if (!is_enabled()) return false;
  bool is_intrinsic = (target->is_static() && emitters_.intrinsics.emit_static(target)) ||
                      emitters_.intrinsics.emit_string(target) || emitters_.intrinsics.emit_thread(target) ||
                      emitters_.fields.emit_unsafe(target);
  if (is_intrinsic) {
    compilation_.note_inlined(target);
    return true;
  }
  if (!is_object_initializer(target) && !can_be_inlined(target)) return false;
  if (!target->is_static()) {
    load_receiver(target);
    Value& receiver = stack_.peek(target->argument_slots - 1);
    if (!receiver.not_null) null_checks_.check_side_exit(receiver, registers_.in_register(receiver));
    receiver.not_null = true;
  }
  emit_callee(target);
  return true;
}

bool Inliner::inline_guarded(Method* target, const std::function<void(Label)>& guard, std::function<void()> call) {
  if (!is_enabled() || (!is_object_initializer(target) && !can_be_inlined(target))) return false;
  load_receiver(target);
  u32 path = slow_paths_.add_call(instruction(), std::move(call));
  guard(slow_paths_.label(path));
  stack_.peek(target->argument_slots - 1).not_null = true;
  emit_callee(target);
  bool returns_value = target->return_type != BasicType::Void;
  if (returns_value) own_result(target);
  slow_paths_.resume_call_here(path, returns_value);
  return true;
}

// Loads the receiver into a register if it is spilled, because the guard needs it there.
void Inliner::load_receiver(const Method* target) {
  u32 arguments = target->argument_slots;
  if (stack_.peek(arguments - 1).kind == Kind::Spilled) {
    registers_.reserve(arguments, 2);
    registers_.load_in_place(arguments - 1);
  }
  registers_.reserve(arguments, 1);
}

// Gives the result a register of its own. The inlined code's result may share a register with another value, but the
// slow path's call returns a separate value.
void Inliner::own_result(const Method* target) {
  bool is_wide = slot_count(target->return_type) == 2;
  bool is_floating = target->return_type == BasicType::Float || target->return_type == BasicType::Double;
  bool is_int = !is_wide && !is_floating && target->return_type != BasicType::Reference;
  if (is_floating) registers_.reserve_xmm(is_wide ? 2 : 1, 1);
  else registers_.reserve(is_wide ? 2 : 1, 1);
  stack_.registers().begin_instruction();
  Value result = stack_.pop(is_wide);
  u32 number;
  if (is_floating) {
    number = number_of(registers_.in_own_xmm(result));
  } else {
    Gp own = registers_.in_own_register(result);
    if (is_int && !result.zero_extended) a_.mov(own.r32(), own.r32());
    number = number_of(own);
  }
  if (is_wide) stack_.push_unused();
  stack_.push({.kind = Kind::Register, .number = number, .zero_extended = is_int});
}

// Emits the callee's bytecodes, which replace the arguments on top of the stack by the result.
void Inliner::emit_callee(Method* target) {
  slow_paths_.begin_inlining(instruction());
  stack_.begin_inlining();
  if (is_object_initializer(target)) emit_object_initializer(target);
  else emit_sites(target);
  stack_.end_inlining();
  slow_paths_.end_inlining();
  slow_paths_.begin_instruction(instruction());
}

void Inliner::emit_object_initializer(Method* target) {
  compilation_.note_inlined(target);
  slow_paths_.begin_instruction(instruction());
  registers_.reserve(1, 1);
  Value receiver = stack_.peek();
  const Klass* klass = receiver.exact_class == 0 ? nullptr : klass_table()[receiver.exact_class];
  if (klass == nullptr || !klass->is_instance() || klass->as_instance()->has_finalizer) {
    a_.load_klass(x86::rcx, registers_.in_register(receiver), x86::rax);
    a_.cmp(x86::byte_ptr(x86::rcx, offsetof(InstanceKlass, has_finalizer)), imm(0));
    a_.jne(slow_paths_.side_exit());
  }
  stack_.drop(1);
}

void Inliner::emit_sites(Method* target) {
  compilation_.note_inlined(target);
  Instructions callee(target, target->body.load(std::memory_order_acquire));
  const Instructions* caller = std::exchange(compilation_.instructions, &callee);
  u32 invoke = compilation_.instruction, first_argument = stack_.depth() - target->argument_slots;
  for (u32 i = 0; i < callee.count() && !registers_.has_failed(); ++i) {
    compilation_.begin_instruction(i);
    emit_instruction(callee.operation(i), callee.word(i), first_argument);
  }
  compilation_.instructions = caller;
  compilation_.instruction = invoke;
  stack_.registers().begin_instruction();
}

void Inliner::emit_instruction(Operation operation, u64 word, u32 first_argument) {
  switch (operation) {
    case Operation::load: return load_argument(first_argument + operand_a(word), false);
    case Operation::load_wide: return load_argument(first_argument + operand_a(word) + 1, true);
    case Operation::invokestatic: return emit_nested_call(metadata_at<Method>(operand_b(word)), false);
    case Operation::invokespecial: return emit_nested_call(metadata_at<Method>(operand_b(word)), true);
    case Operation::return_void:
    case Operation::return_value:
    case Operation::return_boolean:
    case Operation::return_byte:
    case Operation::return_char:
    case Operation::return_short:
    case Operation::return_wide: return emit_return(operation, first_argument);
    default: return emitters_.emit(operation, word);
  }
}

void Inliner::load_argument(u32 slot, bool is_wide) {
  registers_.reserve(0, 1);
  Value value = stack_.values()[slot];
  registers_.load_from_stack_slot(value);
  if (is_wide) stack_.push_unused();
  stack_.push(value);
}

void Inliner::emit_nested_call(Method* nested, bool has_receiver) {
  if (has_receiver && !stack_.peek(nested->argument_slots - 1).not_null) {
    registers_.reserve(nested->argument_slots, 1);
    Value& receiver = stack_.peek(nested->argument_slots - 1);
    null_checks_.check_side_exit(receiver, registers_.in_register(receiver));
    receiver.not_null = true;
  }
  if (is_object_initializer(nested)) emit_object_initializer(nested);
  else emit_sites(nested);
}

// Emits a return of the callee: pops the arguments and pushes the result.
void Inliner::emit_return(Operation operation, u32 first_argument) {
  u32 slots = slots_popped(operation);
  char type = row(operation).type;
  if (slots == 0) return stack_.drop(stack_.depth() - first_argument);
  Value result;
  if (type == '-') {
    result = stack_.pop(slots == 2);
    registers_.load_from_stack_slot(result);  // the value may have been spilled meanwhile
  } else {
    registers_.reserve(1, 1);
    Gp narrowed = registers_.in_own_register(stack_.pop());
    a_.narrow(narrowed, type);
    result = {.kind = Kind::Register, .number = number_of(narrowed), .zero_extended = true};
  }
  stack_.drop(stack_.depth() - first_argument);
  if (slots == 2) stack_.push_unused();
  stack_.push(result);
}

}  // namespace keyhole::baseline
