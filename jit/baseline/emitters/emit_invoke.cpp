// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits calls.
#include "jit/baseline/emitters/emit_invoke.h"

#include "runtime/threads/java_thread.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/stack_effect.h"
#include "vm/metadata/descriptor.h"
#include "vm/metadata/instance_klass.h"
#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

using namespace interpreter;

// --- forms of calls --------------------------------------------------------------------------------------------------

void InvokeEmitter::invoke_known(const Call& call, bool has_receiver) {
  Method* target = metadata_at<Method>(operand_b(call.word));
  if (inliner_.inline_call(target)) return;
  if (has_receiver && !call.receiver.not_null) null_checks_.check_side_exit(call.receiver, flush_but_receiver(call));
  else stack_.flush();
  compilation_.calls.begin(call);
  compilation_.calls.call_known(call, target);
  finish(call);
}

void InvokeEmitter::invoke_same_class(const Call& call) {
  const VirtualCallSite* site = metadata_at<VirtualCallSite>(operand_b(call.word));
  Method* expected = reinterpret_cast<Method*>(site->expected & receiver_cache_pointer);
  u32 klass = static_cast<u32>(site->expected >> layout::klass_key_shift);
  i32 offset = static_cast<i32>(Klass::vtable_entry_offset(site->vtable_index));
  if (!may_speculate(klass_of_id(klass))) return invoke_through_table(call, offset);
  auto guard = [&](Label other) { guard_class(call, klass, other); };
  auto call_other = [this, call, offset] {
    load_class_from_stack_slot(call);
    profile_.count_class(call.profile, true);
    call_through_table(call, offset);
  };
  if (inliner_.inline_guarded(expected, guard, call_other)) return;
  load_class(call);
  compilation_.calls.begin(call);
  Label other = a_.newLabel(), done = a_.newLabel();
  a_.cmp(x86::eax, imm(klass));
  a_.jne(other);
  profile_.count_known_class(call.profile, klass);
  compilation_.calls.call_known(call, expected);
  a_.bind(done);
  slow_paths_.add_cold([this, call, offset, other, done] {
    a_.bind(other);
    profile_.count_class(call.profile, true);
    select(offset);
    compilation_.calls.call_method_in_rdx(call);
    a_.jmp(done);
  });
  finish(call);
}

void InvokeEmitter::invoke_same_method(const Call& call) {
  Method* expected = metadata_at<Method>(operand_b(call.word));
  i32 offset = static_cast<i32>(Klass::vtable_entry_offset(static_cast<u32>(expected->vtable_index)));
  auto guard = [&](Label other) { guard_method(call, expected, offset, other); };
  auto call_other = [this, call, offset] {  // the guard has already counted the class
    load_class_from_stack_slot(call);
    call_through_table(call, offset);
  };
  if (may_speculate(expected->holder) && inliner_.inline_guarded(expected, guard, call_other)) return;
  invoke_through_table(call, offset);
}

void InvokeEmitter::invoke_through_table(const Call& call, i32 offset) {
  load_class(call);
  profile_.count_class(call.profile);
  call_through_table(call, offset);
  finish(call);
}

void InvokeEmitter::invoke_interface(const Call& call) {
  u64 cached = metadata_at<InterfaceCallSite>(operand_b(call.word))->cache.load(std::memory_order_acquire);
  u32 klass = static_cast<u32>(cached >> layout::klass_key_shift);
  Method* expected = reinterpret_cast<Method*>(cached & receiver_cache_pointer);
  if (cached == 0 || !may_speculate(klass_of_id(klass))) {
    load_class(call);
    profile_.count_class(call.profile);
    call_through_cache(call, false);
    return finish(call);
  }
  auto guard = [&](Label other) { guard_class(call, klass, other); };
  auto call_other = [this, call] {
    load_class_from_stack_slot(call);
    profile_.count_class(call.profile, true);
    call_through_cache(call, true);
  };
  if (inliner_.inline_guarded(expected, guard, call_other)) return;
  // Compares the receiver's class with the last receiver's class; most often they are equal.
  load_class(call);
  Label other = a_.newLabel(), done = a_.newLabel();
  compilation_.calls.begin(call);
  a_.cmp(x86::eax, imm(klass));
  a_.jne(other);
  profile_.count_known_class(call.profile, klass);
  compilation_.calls.call_known(call, expected);
  a_.bind(done);
  slow_paths_.add_cold([this, call, other, done] {
    a_.bind(other);
    profile_.count_class(call.profile, true);
    call_through_cache(call, true);
    a_.jmp(done);
  });
  finish(call);
}

// Checks that the receiver's class implements the interface: compares the interface with the one that the last search
// in the class has found (Klass::secondary_super_cache). If they differ, the interpreter's handler searches the class,
// and calls the method or throws.
void InvokeEmitter::invoke_checked(const Call& call, Method* target, const Klass* interface) {
  auto compare = [&](Label other) {
    a_.load_klass_of_id(x86::rcx, x86::rax);
    a_.load_address(x86::rax, interface);
    a_.cmp(x86::qword_ptr(x86::rcx, offsetof(Klass, secondary_super_cache)), x86::rax);
    a_.jne(other);
  };
  auto guard = [&](Label other) {
    Gp receiver = registers_.in_register(stack_.peek(call.arguments - 1));
    null_checks_.implicit_side_exit(call.receiver);
    a_.load_klass_id(x86::rax, receiver);
    compare(other);
  };
  auto call_other = [this, call] {
    compilation_.calls.begin(call);
    call_handler(call);
  };
  if (inliner_.inline_guarded(target, guard, call_other)) return;
  load_class(call);
  compilation_.calls.begin(call);
  Label other = a_.newLabel(), done = a_.newLabel();
  compare(other);
  compilation_.calls.call_known(call, target);
  a_.bind(done);
  slow_paths_.add_cold([this, call, other, done] {
    a_.bind(other);
    call_handler(call);
    a_.jmp(done);
  });
  finish(call);
}

void InvokeEmitter::invoke_linked(const Call& call, bool has_receiver) {
  const LinkedCallSite* linked = metadata_at<LinkedCallSite>(operand_b(call.word));
  if (has_receiver) null_checks_.check_side_exit(call.receiver, flush_but_receiver(call));
  else stack_.flush();
  if (linked->appendix != nullptr) {
    // The appendix is an additional argument. Its slot is above the operands of the frame map, so the caller's frame
    // map does not cover it; it becomes a local of the callee before any stack walk.
    a_.load_address(x86::rax, linked->appendix);
    a_.mov(x86::rax, x86::qword_ptr(x86::rax));
    a_.mov(frame_.stack_slot(stack_.depth()), x86::rax);
  }
  compilation_.calls.begin(call, linked->appendix != nullptr ? 1 : 0);
  compilation_.calls.call_known(call, linked->target);
  finish(call);
}

// Lets the interpreter resolve or check the call. The frame returns to the code at a loop header, at the next call, or
// after a bytecode that the interpreter executes as a fallback. Only in the last case is the code after this call
// reached.
void InvokeEmitter::side_exit_unresolved(Operation operation) {
  StackEffect moved = stack_effect(operation, instructions().method(), instructions().bci(instruction()));
  slow_paths_.always_side_exit(has(operation, effect::unresolved));
  stack_.drop(moved.pops);
  stack_.push_stack_slots(moved.pushes);
}

// --- the receiver ----------------------------------------------------------------------------------------------------

Gp InvokeEmitter::flush_but_receiver(const Call& call) {
  stack_.flush();
  // A receiver in rdi is reloaded, because calls pass the caller's frame in rdi.
  bool stays = call.receiver.is_in_general_register() && call.receiver.number != Gp::kIdDi;
  if (stays) return x86::gpq(call.receiver.number);
  a_.mov(x86::r8, frame_.stack_slot(call.receiver_slot()));
  return x86::r8;
}

void InvokeEmitter::load_class(const Call& call) {
  Gp receiver = flush_but_receiver(call);
  null_checks_.implicit_side_exit(call.receiver);
  a_.load_klass_id(x86::rax, receiver);
}

void InvokeEmitter::load_class_from_stack_slot(const Call& call) {
  a_.mov(x86::r8, frame_.stack_slot(call.receiver_slot()));
  a_.load_klass_id(x86::rax, x86::r8);
}

void InvokeEmitter::guard_class(const Call& call, u32 klass, Label other) {
  Gp receiver = registers_.in_register(stack_.peek(call.arguments - 1));
  null_checks_.implicit_side_exit(call.receiver);
  a_.load_klass_id(x86::rax, receiver);
  a_.cmp(x86::eax, imm(klass));
  a_.jne(other);
  profile_.count_known_class(call.profile, klass);
}

void InvokeEmitter::guard_method(const Call& call, const Method* expected, i32 offset, Label other) {
  Gp receiver = registers_.in_register(stack_.peek(call.arguments - 1));
  null_checks_.implicit_side_exit(call.receiver);
  a_.load_klass_id(x86::rax, receiver);
  profile_.count_class(call.profile);
  a_.load_klass_of_id(x86::rcx, x86::rax);
  a_.load_address(x86::rax, expected);
  a_.cmp(x86::qword_ptr(x86::rcx, offset), x86::rax);
  a_.jne(other);
}

// Whether the code may contain a reference to the class. Code is not changed when a class dies, so it must not refer to
// a class that may die before the code (vm/link/loading/class_unloading.h U4).
bool InvokeEmitter::may_speculate(const Klass* klass) const {
  return klass->liveness == nullptr || klass->liveness == instructions().method()->holder->liveness;
}

// --- the call --------------------------------------------------------------------------------------------------------

void InvokeEmitter::select(i32 offset) {
  a_.load_klass_of_id(x86::rcx, x86::rax);
  a_.mov(x86::rdx, x86::qword_ptr(x86::rcx, offset));
}

void InvokeEmitter::call_through_table(const Call& call, i32 offset) {
  compilation_.calls.begin(call);
  select(offset);
  compilation_.calls.call_method_in_rdx(call);
}

// Calls the method that the call site's inline cache has for the class in eax. On a miss calls the interpreter's
// handler with the pc of this site. The handler finds the method and rewrites the cache, but not the bytecode.
void InvokeEmitter::call_through_cache(const Call& call, bool is_cold) {
  Label other = a_.newLabel(), done = a_.newLabel();
  compilation_.calls.begin(call);
  a_.load_address(x86::rcx, &metadata_at<InterfaceCallSite>(operand_b(call.word))->cache);
  a_.mov(x86::rdx, x86::qword_ptr(x86::rcx));
  a_.mov(x86::rcx, x86::rdx);
  a_.shr(x86::rcx, imm(layout::klass_key_shift));
  a_.cmp(x86::ecx, x86::eax);
  a_.jne(other);
  a_.shl(x86::rdx, imm(64 - layout::klass_key_shift));
  a_.shr(x86::rdx, imm(64 - layout::klass_key_shift));
  compilation_.calls.call_method_in_rdx(call);
  if (is_cold) {
    a_.jmp(done);
    search(call, other);
  } else {
    slow_paths_.add_cold([this, call, other, done] {
      search(call, other);
      a_.jmp(done);
    });
  }
  a_.bind(done);
}

void InvokeEmitter::search(const Call& call, Label other) {
  a_.bind(other);
  call_handler(call);
}

// Calls the interpreter's handler of the current instruction, which calls the method. The arguments are in their stack
// slots.
void InvokeEmitter::call_handler(const Call& call) {
  a_.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
  a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
  a_.mov(x86::rcx, imm(call.word));
  a_.load_address(x86::rax, &plain_table[static_cast<u32>(operation_of(call.word))]);
  compilation_.calls.call_code(call, x86::qword_ptr(x86::rax));
}

// Pops the arguments and pushes the result, which is in rdx.
void InvokeEmitter::finish(const Call& call) {
  stack_.drop(call.arguments);
  stack_.registers().begin_instruction();
  locals_.forget();
  if (call.result_slots() == 2) stack_.push_unused();
  switch (call.result) {
    case 'V': return;
    case 'F':
    case 'D': {
      Xmm target = registers_.allocate_xmm();
      a_.movq(target, x86::rdx);
      return stack_.push_register(target);
    }
    case 'J':
    case 'L':
    case '[': {
      Gp target = registers_.allocate();
      a_.mov(target, x86::rdx);
      return stack_.push_register(target);
    }
    default: {
      Gp target = registers_.allocate();
      a_.mov(target.r32(), x86::edx);
      return stack_.push_int(target);
    }
  }
}

Call InvokeEmitter::call_of_instruction(u64 word) {
  u32 arguments = operand_a(word);
  Call call{.instruction = instruction(),
            .word = word,
            .depth = stack_.depth(),
            .arguments = arguments,
            .result = return_descriptor_of(instructions().descriptor(instruction()))[0],
            .profile = profile_.of_instruction<TypeProfile>(instruction())};
  if (arguments != 0) call.receiver = stack_.peek(arguments - 1);
  return call;
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_invoke(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void InvokeEmitter::emit(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::invokestatic: return invoke_known(call_of_instruction(word), false);
    case Operation::invokespecial: return invoke_known(call_of_instruction(word), true);
    case Operation::invokevirtual_same_class: return invoke_same_class(call_of_instruction(word));
    case Operation::invokevirtual_same_method: return invoke_same_method(call_of_instruction(word));
    case Operation::invokevirtual: return invoke_through_table(call_of_instruction(word), operand_b(word));
    case Operation::invokeinterface: return invoke_interface(call_of_instruction(word));
    case Operation::invokedynamic: return invoke_linked(call_of_instruction(word), false);
    case Operation::invokehandle: return invoke_linked(call_of_instruction(word), true);
    case Operation::invokespecial_checked: {
      const auto* site = metadata_at<SpecialCallSite>(operand_b(word));
      return invoke_checked(call_of_instruction(word), site->target, site->interface);
    }
    case Operation::invokeinterface_private: {
      auto* method = metadata_at<Method>(operand_b(word));
      return invoke_checked(call_of_instruction(word), method, reinterpret_cast<const Klass*>(method->holder));
    }
    case Operation::invokevirtual_unresolved:
    case Operation::invokespecial_unresolved:
    case Operation::invokestatic_unresolved:
    case Operation::invokeinterface_unresolved:
    case Operation::invokedynamic_unresolved: return side_exit_unresolved(operation);
  }
}

}  // namespace keyhole::baseline
