// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls and returns.
//
// A call spills everything, sets the frame's pc to the site's pair of cells (vm/interpreter/compiled_code.h) and jumps to the callee's entry
// as the interpreter does. A return looks at the cell behind the caller's pc: when that is resume_compiled it jumps to the address in it.
#include "jit/baseline/method_compiler.h"
#include "runtime/base/flags.h"
#include "vm/link/constant_pool.h"
#include "vm/link/instance_klass.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

u32 MethodCompiler::result_slots_of_call(u32 cell) const {
  const Symbol* descriptor = method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(cell)));
  std::string_view text = descriptor->text();
  switch (text[text.find(')') + 1]) {
    case 'V': return 0;
    case 'J': case 'D': return 2;
    default: return 1;
  }
}

// Everything is in its home. r13, rdi, r12 and the frame's pc as an entry wants them.
void MethodCompiler::begin_call(u32 cell, u32, u32* site) {
  *site = static_cast<u32>(sites_.size());
  sites_.push_back({cell, a_.newLabel(), words_[cell]});
  a_.lea(x86::r13, x86::ptr(locals_register, home_distance(static_cast<i32>(depth()) - 1)));
  load_address(x86::r12, &site_cells_[*site].call);
  a_.mov(frame_field(offsetof(Frame, pc)), x86::r12);
}

void MethodCompiler::jump_to_method(const Method* target, u32 argument_slots) {
  if (target != nullptr) load_address(x86::rdx, target);
  a_.lea(x86::rdi, frame_field(0));
  a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
  a_.mov(x86::ecx, imm(argument_slots << 16));
  a_.jmp(x86::qword_ptr(x86::rdx, offsetof(Method, entry)));
}

void MethodCompiler::finish_call(u32 site, u32 argument_slots, u32 result_slots) {
  a_.bind(sites_[site].resume);
  for (u32 i = 0; i < argument_slots; ++i) pop();
  busy_ = 0;
  forget_pinned();
  if (result_slots == 0) return;
  Gp target = allocate();
  a_.mov(target, x86::rdx);
  if (result_slots == 2) push_unused();
  push_register(target);
}

bool MethodCompiler::emit_invoke(Operation operation, u64 word) {
  u32 arguments = operand_a(word);
  u32 site;
  // The receiver for the check and the look-up; a register that the flush leaves alone.
  auto receiver_in_register = [&]() -> Gp {
    Value receiver = peek(arguments - 1);
    flush();
    if (receiver.kind == Kind::Register && receiver.number < xmm_base) return x86::gpq(receiver.number);
    a_.mov(x86::r8, home(depth() - arguments));
    return x86::r8;
  };
  auto check_receiver = [&](Gp receiver) {
    a_.test(receiver, receiver);
    a_.jz(leaving());
  };
  switch (operation) {
    case Operation::invokestatic: case Operation::invokespecial: {
      const Method* target = metadata_at<Method>(operand_b(word));
      if (operation == Operation::invokespecial) check_receiver(receiver_in_register());
      else flush();
      begin_call(cell_, arguments, &site);
      jump_to_method(target, arguments);
      break;
    }
    case Operation::invokevirtual_same_class: case Operation::invokevirtual_same_method: case Operation::invokevirtual: {
      Gp receiver = receiver_in_register();
      check_receiver(receiver);
      load_klass_id(x86::rax, receiver);
      begin_call(cell_, arguments, &site);
      i32 table_offset = operand_b(word);
      if (operation == Operation::invokevirtual_same_class) {
        const VirtualCallSite* expected = metadata_at<VirtualCallSite>(operand_b(word));
        table_offset = static_cast<i32>(Klass::vtable_entry_offset(expected->vtable_index));
        Label other = a_.newLabel();
        a_.cmp(x86::eax, imm(static_cast<u32>(expected->expected >> layout::klass_shift)));
        a_.jne(other);
        jump_to_method(reinterpret_cast<const Method*>(expected->expected & receiver_cache_pointer), arguments);
        a_.bind(other);
      } else if (operation == Operation::invokevirtual_same_method) {
        table_offset = static_cast<i32>(Klass::vtable_entry_offset(static_cast<u32>(metadata_at<Method>(operand_b(word))->vtable_index)));
      }
      a_.mov(x86::rcx, imm(address_space::klass_table_base));
      a_.mov(x86::rcx, x86::qword_ptr(x86::rcx, x86::rax, 3));
      a_.mov(x86::rdx, x86::qword_ptr(x86::rcx, table_offset));
      jump_to_method(nullptr, arguments);
      break;
    }
    case Operation::invokeinterface: {
      Gp receiver = receiver_in_register();
      check_receiver(receiver);
      load_klass_id(x86::rax, receiver);
      begin_call(cell_, arguments, &site);
      Label other = a_.newLabel();
      const InterfaceCallSite* cache = metadata_at<InterfaceCallSite>(operand_b(word));
      load_address(x86::rcx, &cache->cache);
      a_.mov(x86::rdx, x86::qword_ptr(x86::rcx));
      a_.mov(x86::rcx, x86::rdx);
      a_.shr(x86::rcx, imm(layout::klass_shift));
      a_.cmp(x86::ecx, x86::eax);
      a_.jne(other);
      a_.shl(x86::rdx, imm(64 - layout::klass_shift));
      a_.shr(x86::rdx, imm(64 - layout::klass_shift));
      jump_to_method(nullptr, arguments);
      // The interpreter's handler searches, with this site's pc; it rewrites the cache, not the cell.
      a_.bind(other);
      a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
      a_.lea(x86::rdi, frame_field(0));
      a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
      a_.mov(x86::rcx, imm(word));
      load_address(x86::rax, &plain_table[static_cast<u32>(operation)]);
      a_.jmp(x86::qword_ptr(x86::rax));
      break;
    }
    case Operation::invokedynamic: case Operation::invokehandle: {
      const LinkedCallSite* linked = metadata_at<LinkedCallSite>(operand_b(word));
      if (operation == Operation::invokehandle) check_receiver(receiver_in_register());
      else flush();
      u32 passed = arguments;
      begin_call(cell_, arguments, &site);
      if (linked->appendix != nullptr) {
        // One more argument, above what the frame map knows: it is the callee's local before anybody can look.
        load_address(x86::rax, linked->appendix);
        a_.mov(x86::rax, x86::qword_ptr(x86::rax));
        a_.add(x86::r13, imm(sizeof(Slot)));
        a_.mov(x86::qword_ptr(x86::r13), x86::rax);
        ++passed;
      }
      jump_to_method(linked->target, passed);
      break;
    }
    // Resolved, or checked, by the interpreter: the frame comes back at a loop header or with the next call.
    case Operation::invokeinterface_private:
    case Operation::invokevirtual_unresolved: case Operation::invokespecial_unresolved: case Operation::invokestatic_unresolved:
    case Operation::invokeinterface_unresolved: case Operation::invokedynamic_unresolved: {
      leave_inline();
      slow_paths_.back().counts = operation != Operation::invokeinterface_private;
      const Symbol* descriptor = method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(cell_)));
      bool has_receiver = operation != Operation::invokestatic_unresolved && operation != Operation::invokedynamic_unresolved;
      u32 slots = has_receiver ? 1 : 0;
      for (DescriptorIterator it(descriptor); !it.at_end(); it.next()) slots += slot_count(it.type());
      for (u32 i = 0; i < slots; ++i) pop();
      for (u32 i = 0; i < result_slots_of_call(cell_); ++i) push_home();
      // What follows is reached when the call has returned into the interpreter and a cell has brought the frame back.
      return true;
    }
    default: return false;
  }
  finish_call(site, arguments, result_slots_of_call(cell_));
  return true;
}

// The result in rdx, the caller's frame in rdi; then to where the caller goes on.
bool MethodCompiler::emit_return(Operation operation, u64) {
  u32 slots = 1;
  switch (operation) {
    case Operation::return_value: case Operation::return_boolean: case Operation::return_byte: case Operation::return_char:
    case Operation::return_short: break;
    case Operation::return_wide: slots = 2; break;
    case Operation::return_void: slots = 0; break;
    case Operation::athrow: case Operation::return_register_finalizer: case Operation::ret: case Operation::jsr: case Operation::end_of_code:
    case Operation::return_value_checked: case Operation::return_boolean_checked: case Operation::return_byte_checked:
    case Operation::return_char_checked: case Operation::return_short_checked: case Operation::return_wide_checked:
    case Operation::return_void_checked:
      leave_inline();
      reachable_ = false;
      return true;
    default: return false;
  }
  if (flags::GCStressSafepointInterval != 0) {
    leave_inline();
    reachable_ = false;
    return true;
  }
  a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
  a_.jne(leaving());
  if (slots != 0) {
    Value value = slots == 2 ? pop_wide() : pop();
    load_to(x86::rdx, value);
    switch (operation) {
      case Operation::return_boolean: a_.and_(x86::edx, imm(1)); break;
      case Operation::return_byte: a_.movsx(x86::edx, x86::dl); break;
      case Operation::return_char: a_.movzx(x86::edx, x86::dx); break;
      case Operation::return_short: a_.movsx(x86::edx, x86::dx); break;
      default: break;
    }
  }
  a_.mov(x86::rdi, frame_field(offsetof(Frame, caller)));
  a_.lea(x86::r13, x86::ptr(locals_register, (static_cast<i32>(slots) - 1) * static_cast<i32>(sizeof(Slot))));
  a_.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a_.mov(locals_register, x86::qword_ptr(x86::rdi, offsetof(Frame, locals)));
  a_.mov(x86::rcx, x86::qword_ptr(x86::r12, sizeof(Cell)));
  a_.cmp(x86::cx, imm(static_cast<u32>(Operation::resume_compiled)));
  a_.jne(imm(slots == 0 ? stubs_.return_void_to_interpreter : stubs_.return_to_interpreter));
  a_.shr(x86::rcx, imm(32));
  a_.jmp(x86::rcx);
  reachable_ = false;
  return true;
}

}  // namespace keyhole::baseline
