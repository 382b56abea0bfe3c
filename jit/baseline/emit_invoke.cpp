// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls and returns.
//
// A call spills everything, sets the frame's pc to the site's pair of cells, and calls the callee's entry_from_code; a return is a `ret`
// (vm/interpreter/compiled_code.h has the rules of the native stack).
#include "jit/baseline/method_compiler.h"

#include <utility>

#include "runtime/base/flags.h"
#include "vm/link/constant_pool.h"
#include "vm/link/instance_klass.h"
#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

namespace {
u32 slots_of(char type) { return type == 'V' ? 0 : type == 'J' || type == 'D' ? 2 : 1; }
}  // namespace

char MethodCompiler::result_type_of_call(u32 cell) const {
  return return_descriptor_of(method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(cell)))->text())[0];
}

// Everything is in its home. r13, rdi and the frame's pc as the callee wants them; its last argument is in slot `slots` - 1.
void MethodCompiler::begin_call(u32 cell, u32 slots, u32 arguments) {
  home_after_call_ = home_distance(static_cast<i32>(slots - arguments + slots_of(result_type_of_call(cell))) - 1);
  write_back(dirty_);
  sites_.push_back({cell, a_.newLabel(), words_[cell]});
  a_.lea(x86::rdi, x86::ptr(sites_.back().cells));
  a_.mov(frame_field(offsetof(Frame, pc)), x86::rdi);
  a_.lea(x86::r13, x86::ptr(locals_register, home_distance(static_cast<i32>(slots) - 1)));
  a_.lea(x86::rdi, frame_field(0));
}

// The method in rdx, or a known one.
void MethodCompiler::call_method(const Method* target) {
  if (target != nullptr) load_address(x86::rdx, target);
  if (target == method_ && entry_.isValid()) call_code(entry_);
  else call_code(x86::qword_ptr(x86::rdx, offsetof(Method, entry_from_code)));
}

// Whoever returns has r13 at the top operand: where the locals are follows from that, which is faster than keeping them in the record.
void MethodCompiler::call_code(const asmjit::Operand& target) {
  a_.sub(x86::rsp, imm(call_record_bytes - sizeof(uptr)));
  u32 begin = static_cast<u32>(a_.offset());
  a_.emit(Inst::kIdCall, target);
  a_.lea(locals_register, x86::ptr(x86::r13, -home_after_call_));
  returns_.push_back(static_cast<u32>(a_.offset()));   // from here on may be overwritten (obsolete_code.h)
  a_.add(x86::rsp, imm(call_record_bytes - sizeof(uptr)));
  calls_.push_back({begin, static_cast<u32>(a_.offset())});
}

void MethodCompiler::finish_call(u32 argument_slots, char result_type) {
  for (u32 i = 0; i < argument_slots; ++i) pop();
  busy_ = 0;
  forget_pinned();
  if (slots_of(result_type) == 2) push_unused();
  switch (result_type) {
    case 'V': return;
    case 'F': case 'D': {
      Xmm target = allocate_xmm();
      a_.movq(target, x86::rdx);
      return push_register(target);
    }
    case 'J': case 'L': case '[': {
      Gp target = allocate();
      a_.mov(target, x86::rdx);
      return push_register(target);
    }
    default: {
      Gp target = allocate();
      a_.mov(target.r32(), x86::edx);
      return push_int(target);
    }
  }
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_invoke(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_invoke(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  u32 arguments = operand_a(word);
  // The receiver for the check and the look-up; a register that the flush leaves alone.
  u32 cell = cell_, slots = depth();
  Value receiver;
  if (arguments != 0) receiver = peek(arguments - 1);
  auto receiver_in_register = [&]() -> Gp {
    flush();
    if (receiver.kind == Kind::Register && receiver.number < xmm_base && receiver.number != Gp::kIdDi) return x86::gpq(receiver.number);
    a_.mov(x86::r8, home(slots - arguments));
    return x86::r8;
  };
  auto check_receiver = [&](Gp loaded) {
    if (receiver.not_null) return;
    a_.test(loaded, loaded);
    a_.jz(leaving());
  };
  TypeProfile* profile = profile_at<TypeProfile>(cell_);
  auto class_of_receiver = [&] {   // in eax
    Gp loaded = receiver_in_register();
    leave_at_null(receiver);
    load_klass_id(x86::rax, loaded);
  };
  auto select = [this](i32 offset) {   // the method in rdx, for the class in eax
    a_.mov(x86::rcx, imm(address_space::klass_table_base));
    a_.mov(x86::rcx, x86::qword_ptr(x86::rcx, x86::rax, 3));
    a_.mov(x86::rdx, x86::qword_ptr(x86::rcx, offset));
  };
  auto class_guard = [this, arguments, receiver, profile](u32 klass) {
    return [this, arguments, receiver, profile, klass](Label other) {
      Gp loaded = in_register(peek(arguments - 1));
      leave_at_null(receiver);
      load_klass_id(x86::rax, loaded);
      a_.cmp(x86::eax, imm(klass));
      a_.jne(other);
      count_known_class(profile, klass);
    };
  };
  auto call_by_table = [&](i32 offset) {
    class_of_receiver();
    count_class(profile);
    begin_call(cell, slots, arguments);
    select(offset);
    call_method(nullptr);
  };
  // In a slow path: all operands are in their homes. `counting`: the class of the receiver has not been counted yet.
  auto call_virtual = [this, cell, slots, arguments, select](i32 offset, TypeProfile* counting) {
    a_.mov(x86::r8, home(slots - arguments));
    load_klass_id(x86::rax, x86::r8);
    count_class(counting, true);
    begin_call(cell, slots, arguments);
    select(offset);
    call_method(nullptr);
  };
  // The class in eax: by the site's cache, else by the interpreter's handler, which searches, with this site's pc; it rewrites the cache, not the cell.
  auto call_interface = [this, cell, slots, arguments, word](bool cold) {
    Label other = a_.newLabel(), done = a_.newLabel();
    begin_call(cell, slots, arguments);
    load_address(x86::rcx, &metadata_at<InterfaceCallSite>(operand_b(word))->cache);
    a_.mov(x86::rdx, x86::qword_ptr(x86::rcx));
    a_.mov(x86::rcx, x86::rdx);
    a_.shr(x86::rcx, imm(layout::klass_key_shift));
    a_.cmp(x86::ecx, x86::eax);
    a_.jne(other);
    a_.shl(x86::rdx, imm(64 - layout::klass_key_shift));
    a_.shr(x86::rdx, imm(64 - layout::klass_key_shift));
    call_method(nullptr);
    auto search = [this, other, word, after = home_after_call_] {
      home_after_call_ = after;
      a_.bind(other);
      a_.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
      a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
      a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
      a_.mov(x86::rcx, imm(word));
      load_address(x86::rax, &plain_table[static_cast<u32>(operation_of(word))]);
      call_code(x86::qword_ptr(x86::rax));
    };
    if (cold) {
      a_.jmp(done);
      search();
    } else {
      cold_.push_back([this, search, done] {
        search();
        a_.jmp(done);
      });
    }
    a_.bind(done);
  };
  // Code is not changed when a class dies, so it names none that may die before it (vm/link/class_unloading.h, U4).
  auto may_guess = [this](const Klass* klass) { return klass->liveness == nullptr || klass->liveness == method_->holder->liveness; };
  switch (static_cast<Emitted>(operation)) {
    case Operation::invokestatic: case Operation::invokespecial: {
      Method* target = metadata_at<Method>(operand_b(word));
      if (inline_call(target)) return;
      if (has(operation, effect::throws_null) && !receiver.not_null) check_receiver(receiver_in_register());
      else flush();
      begin_call(cell, slots, arguments);
      call_method(target);
      break;
    }
    case Operation::invokevirtual_same_class: {
      const VirtualCallSite* site = metadata_at<VirtualCallSite>(operand_b(word));
      Method* expected = reinterpret_cast<Method*>(site->expected & receiver_cache_pointer);
      u32 klass = static_cast<u32>(site->expected >> layout::klass_key_shift);
      i32 offset = static_cast<i32>(Klass::vtable_entry_offset(site->vtable_index));
      if (!may_guess(klass_of_id(klass))) {
        call_by_table(offset);
        break;
      }
      if (inline_call(expected, class_guard(klass), [call_virtual, offset, profile] { call_virtual(offset, profile); })) return;
      class_of_receiver();
      begin_call(cell, slots, arguments);
      Label other = a_.newLabel(), call = a_.newLabel();
      a_.cmp(x86::eax, imm(klass));
      a_.jne(other);
      count_known_class(profile, klass);
      load_address(x86::rdx, expected);
      a_.bind(call);
      cold_.push_back([this, other, call, select, offset, profile] {
        a_.bind(other);
        count_class(profile, true);
        select(offset);
        a_.jmp(call);
      });
      call_method(nullptr);
      break;
    }
    case Operation::invokevirtual_same_method: case Operation::invokevirtual: {
      i32 offset = operand_b(word);
      if (static_cast<Emitted>(operation) == Operation::invokevirtual_same_method) {
        Method* expected = metadata_at<Method>(operand_b(word));
        offset = static_cast<i32>(Klass::vtable_entry_offset(static_cast<u32>(expected->vtable_index)));
        auto guard = [&](Label other) {
          Gp loaded = in_register(peek(arguments - 1));
          leave_at_null(receiver);
          load_klass_id(x86::rax, loaded);
          count_class(profile);
          load_klass_of_id(x86::rcx, x86::rax);
          load_address(x86::rax, expected);
          a_.cmp(x86::qword_ptr(x86::rcx, offset), x86::rax);
          a_.jne(other);
        };
        if (may_guess(expected->holder) && inline_call(expected, guard, [call_virtual, offset] { call_virtual(offset, nullptr); })) return;
      }
      call_by_table(offset);
      break;
    }
    case Operation::invokeinterface: {
      u64 cached = metadata_at<InterfaceCallSite>(operand_b(word))->cache.load(std::memory_order_acquire);
      u32 klass = static_cast<u32>(cached >> layout::klass_key_shift);
      if (cached != 0 && !may_guess(klass_of_id(klass))) cached = 0;
      Method* expected = reinterpret_cast<Method*>(cached & receiver_cache_pointer);
      auto call = [this, slots, arguments, call_interface, profile] {
        a_.mov(x86::r8, home(slots - arguments));
        load_klass_id(x86::rax, x86::r8);
        count_class(profile, true);
        call_interface(true);
      };
      if (cached != 0 && inline_call(expected, class_guard(klass), call)) return;
      class_of_receiver();
      if (cached == 0) {
        count_class(profile);
        call_interface(false);
        break;
      }
      // The class that was here last is most often the next one, too.
      Label other = a_.newLabel(), done = a_.newLabel();
      begin_call(cell, slots, arguments);
      a_.cmp(x86::eax, imm(klass));
      a_.jne(other);
      count_known_class(profile, klass);
      call_method(expected);
      a_.bind(done);
      cold_.push_back([this, other, done, call_interface, profile] {
        a_.bind(other);
        count_class(profile, true);
        call_interface(true);
        a_.jmp(done);
      });
      break;
    }
    case Operation::invokedynamic: case Operation::invokehandle: {
      const LinkedCallSite* linked = metadata_at<LinkedCallSite>(operand_b(word));
      if (has(operation, effect::throws_null)) check_receiver(receiver_in_register());
      else flush();
      if (linked->appendix != nullptr) {
        // One more argument, above what the frame map knows: it is the callee's local before anybody can look.
        load_address(x86::rax, linked->appendix);
        a_.mov(x86::rax, x86::qword_ptr(x86::rax));
        a_.mov(home(depth()), x86::rax);
      }
      u32 appended = linked->appendix != nullptr ? 1 : 0;
      begin_call(cell, slots + appended, arguments + appended);
      call_method(linked->target);
      break;
    }
    // Resolved, or checked, by the interpreter: the frame comes back at a loop header or with the next call.
    case Operation::invokeinterface_private:
    case Operation::invokevirtual_unresolved: case Operation::invokespecial_unresolved: case Operation::invokestatic_unresolved:
    case Operation::invokeinterface_unresolved: case Operation::invokedynamic_unresolved: {
      StackEffect moved = stack_effect(operation, method_, bci(cell_));
      leave_inline();
      slow_paths_.back().counts = has(operation, effect::unresolved);
      for (u32 i = 0; i < moved.pops; ++i) pop();
      for (u32 i = 0; i < moved.pushes; ++i) push_home();
      // What follows is reached when the call has returned into the interpreter and a cell has brought the frame back.
      return;
    }
  }
  finish_call(arguments, result_type_of_call(cell_));
}

// The result in rdx, its home in r13: for return_to_interpreter, which wants the new top operand when there is no result, too.
void MethodCompiler::emit_return(Operation operation, u64) {
  u32 slots = slots_popped(operation);
  bool checked = is_checked_return(operation);
  bool is_stressed = flags::GCStressSafepointInterval != 0;
  if (operation == Operation::return_register_finalizer || is_stressed || (checked && !is_entered_inline(method_))) {
    return leave_for_good();
  }
  if (checked) reserve(slots, 2);
  a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
  a_.jne(leaving());
  if (checked) release_at_return();
  if (slots != 0) {
    Value value = slots == 2 ? pop_wide() : pop();
    load_to(x86::rdx, value);
    switch (row(operation).type) {
      case 'Z': a_.and_(x86::edx, imm(1)); break;
      case 'B': a_.movsx(x86::edx, x86::dl); break;
      case 'C': a_.movzx(x86::edx, x86::dx); break;
      case 'S': a_.movsx(x86::edx, x86::dx); break;
      default: break;   // not narrowed
    }
  }
  a_.lea(x86::r13, x86::ptr(locals_register, (static_cast<i32>(slots) - 1) * static_cast<i32>(sizeof(Slot))));
  if (slots == 0) a_.mov(x86::rdx, x86::qword_ptr(x86::r13));
  a_.ret();
  reachable_ = false;
}

bool MethodCompiler::return_in_place(u32 cell) {
  Operation operation = operation_of(words_[cell]);
  if (row(operation).category != Category::return_) return false;
  if (row(operation).type != '-' || has(operation, effect::throws)) return false;   // long ones
  u32 outer = std::exchange(cell_, cell);
  slow_of_cell_ = leaving_of_cell_ = -1;
  before_ = stack_;
  emit_return(operation, words_[cell]);
  cell_ = outer;
  return true;
}

}  // namespace keyhole::baseline
