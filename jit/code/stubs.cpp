// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits the stubs.
#include "jit/code/stubs.h"
#include "jit/code/code_holder.h"

#include "jit/code/code_cache.h"
#include "jit/code/gdb_interface.h"
#include "jit/code/registers.h"
#include "runtime/base/flags.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/entries.h"

namespace keyhole {

using namespace interpreter;
using asmjit::imm;
using asmjit::Label;
using x86::Mem;

static Stubs made;
const Stubs& stubs() { return made; }

void make_stubs() {
  uptr address = code_cache::largest_room().address;
  CodeHolder holder(address);
  x86::Assembler a(&holder);
  CodeHolder::check(a);
  Mem dispatch = x86::qword_ptr(thread_register, offsetof(JavaThread, dispatch));
  Label fallback = a.newLabel(), fallback_unresolved = a.newLabel(), side_exit = a.newLabel(),
        deoptimize = a.newLabel(), recompile = a.newLabel(), deoptimize_obsolete = a.newLabel(),
        hand_over = a.newLabel(), keep = a.newLabel(), enter_slowly = a.newLabel();
  Label deoptimize_or_unwind = a.newLabel(), throw_ = a.newLabel(), throw_inlined = a.newLabel();
  Label deoptimize_call = a.newLabel(), deoptimize_inlined = a.newLabel(), lock_and_start = a.newLabel(),
        search = a.newLabel();
  Label entry_of_compiled = a.newLabel(), code_to_entry = a.newLabel(), return_to_interpreter = a.newLabel();

  // --- calls ---------------------------------------------------------------------------------------------------------
  // The stub entry_of_compiled. In: r12 = the caller's pc. The caller is usually interpreted. A compiled caller gets
  // here if it has read Method::entry before the callee was compiled; it has already pushed its call record.
  Label from_code = a.newLabel(), without_record = a.newLabel();
  a.bind(entry_of_compiled);
  a.cmp(x86::word_ptr(x86::r12, sizeof(Instruction)), imm(static_cast<u32>(Operation::resume_compiled)));
  a.je(from_code);
  a.push(x86::rdi);
  u32 called = static_cast<u32>(a.offset());
  a.call(x86::qword_ptr(x86::rdx, offsetof(Method, entry_from_code)));
  a.bind(return_to_interpreter);
  a.pop(x86::rdi);
  u32 returned = static_cast<u32>(a.offset());
  a.mov(x86::r13, x86::rcx);
  a.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a.mov(locals_register, x86::qword_ptr(x86::rdi, offsetof(Frame, locals)));
  a.add(x86::r12, imm(sizeof(Instruction)));
  a.mov(x86::rsi, dispatch);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.movzx(x86::r8d, x86::cx);
  a.jmp(x86::qword_ptr(x86::rsi, x86::r8, 3));
  a.bind(from_code);
  a.jmp(x86::qword_ptr(x86::rdx, offsetof(Method, entry_from_code)));

  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(code_to_entry);
  a.movzx(x86::ecx, x86::word_ptr(x86::rdx, offsetof(Method, argument_slots)));
  a.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a.mov(x86::rsi, dispatch);
  a.shl(x86::ecx, imm(16));
  // The stub code_to_entry leads from compiled code to Method::entry, so its caller is usually compiled. An interpreted
  // caller gets here if it read the callee's compiled entry before that code was retired. In this case the stub pops
  // the call record (compiled_code.h L2).
  a.cmp(x86::word_ptr(x86::r12, sizeof(Instruction)), imm(static_cast<u32>(Operation::resume_compiled)));
  a.jne(without_record);
  a.jmp(x86::qword_ptr(x86::rdx, offsetof(Method, entry)));
  a.bind(without_record);
  a.add(x86::rsp, imm(call_record_bytes));
  a.jmp(x86::qword_ptr(x86::rdx, offsetof(Method, entry)));

  // --- frames --------------------------------------------------------------------------------------------------------
  // Compiled code does not write Frame::locals. The stubs write it, because the interpreter reads it when a callee
  // returns to the frame (vm/frames/layout/make_frame.h, locals_of).
  Mem locals_of_frame = x86::qword_ptr(x86::rdi, offsetof(Frame, locals));
  // With -XX:GCStressSafepointInterval, dispatches the instruction through the table whose handlers arm the poll.
  bool stress = flags::GCStressSafepointInterval != 0;
  auto make_fallback = [&](Label stub, const Handler* first) {
    a.align(asmjit::AlignMode::kCode, 16);
    a.bind(stub);
    a.mov(locals_of_frame, locals_register);
    a.mov(x86::rcx, x86::qword_ptr(x86::r12));
    a.mov(x86::rsi, imm(reinterpret_cast<u64>(fallback_table)));
    a.mov(x86::rax, imm(reinterpret_cast<u64>(first)));
    a.movzx(x86::r8d, x86::cx);
    a.mov(x86::rax, x86::qword_ptr(x86::rax, x86::r8, 3));
  };
  make_fallback(fallback_unresolved, stress ? stress_table : table_of_unresolved_fallbacks());
  a.jmp(hand_over);
  make_fallback(fallback, stress ? stress_table : plain_table);
  a.bind(hand_over);
  a.lea(x86::r8, x86::ptr(return_to_interpreter));
  a.cmp(x86::qword_ptr(x86::rsp), x86::r8);
  a.jne(keep);
  a.add(x86::rsp, imm(call_record_bytes));
  a.bind(keep);
  a.jmp(x86::rax);

  a.bind(side_exit);
  a.mov(locals_of_frame, locals_register);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rsi, dispatch);
  a.movzx(x86::r8d, x86::cx);
  a.mov(x86::rax, x86::qword_ptr(x86::rsi, x86::r8, 3));
  a.jmp(hand_over);

  // LIFE(deoptimization) 5/10: the stub passes the frame to the interpreter; the code has freed its bytes of native
  // stack
  a.bind(deoptimize);
  a.mov(locals_of_frame, locals_register);
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_deoptimize)));
  a.jmp(hand_over);

  // The frame's pc points to the call site. The second word of the call site has the index of the invoke instruction.
  static_assert(offsetof(Instruction, a) == 2);
  a.bind(deoptimize_obsolete);
  a.add(x86::rsp, imm(call_record_bytes - sizeof(uptr)));
  a.mov(x86::r13, x86::rcx);
  a.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a.movzx(x86::ecx, x86::word_ptr(x86::r12, sizeof(Instruction) + offsetof(Instruction, a)));
  a.mov(x86::rax, x86::qword_ptr(x86::rdi, offsetof(Frame, method)));
  a.mov(x86::rax, x86::qword_ptr(x86::rax, offsetof(Method, body)));
  a.lea(x86::r12, x86::ptr(x86::rax, x86::rcx, 3, sizeof(MethodCode) + sizeof(Instruction)));
  a.mov(x86::dword_ptr(thread_register, offsetof(JavaThread, deopt_reason)),
        imm(static_cast<u32>(DeoptReason::Obsolete)));
  a.jmp(deoptimize);

  a.bind(enter_slowly);
  a.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a.mov(x86::rsi, dispatch);
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_enter_slowly)));
  a.jmp(hand_over);

  // --- stubs of the optimising tier ----------------------------------------------------------------------------------
  // The stub deoptimize_call. If the callee returned status_exception, the registers are undefined, so the stub reads
  // the frame from JavaThread::top_frame.
  Label after_call = a.newLabel();
  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(deoptimize_call);
  a.cmp(x86::esi, imm(status_deoptimize));
  a.mov(x86::rsi, dispatch);
  a.je(after_call);
  a.mov(x86::rdi, x86::qword_ptr(thread_register, offsetof(JavaThread, top_frame)));
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_deoptimize_with_exception)));
  a.jmp(hand_over);
  a.bind(after_call);
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_deoptimize_after_call)));
  a.jmp(hand_over);

  a.bind(deoptimize_inlined);
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_deoptimize_inlined)));
  a.jmp(hand_over);

  // Emits code that loads Frame::caller of the frame in rdi into rax. If this caller runs optimised code, which handles
  // exceptions of its callees, execution falls through. Otherwise the emitted code jumps to `otherwise`.
  auto find_optimised_caller = [&](Label otherwise) {
    a.mov(x86::rax, x86::qword_ptr(x86::rdi, offsetof(Frame, caller)));
    a.mov(x86::rcx, x86::qword_ptr(x86::rax, offsetof(Frame, pc)));
    a.cmp(x86::word_ptr(x86::rcx, sizeof(Instruction)), imm(static_cast<u32>(Operation::resume_compiled)));
    a.jne(otherwise);
    a.cmp(x86::dword_ptr(x86::rcx, sizeof(Instruction) + offsetof(Instruction, b)), imm(optimised_site));
    a.jne(otherwise);
  };
  // Pops the frame as unwind_to_handler does, and returns status_exception to the caller. In: rax = the caller's frame,
  // r14 = the frame's locals.
  Mem top_frame = x86::qword_ptr(thread_register, offsetof(JavaThread, top_frame));
  auto return_exception_to_caller = [&] {
    a.lea(x86::rcx, x86::ptr(locals_register, -static_cast<i32>(sizeof(Slot))));
    a.mov(x86::qword_ptr(x86::rax, offsetof(Frame, sp)), x86::rcx);
    a.mov(top_frame, x86::rax);
    a.mov(x86::eax, imm(status_exception));
    a.ret();
  };
  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(deoptimize_or_unwind);
  a.cmp(x86::esi, imm(status_exception));
  a.jne(deoptimize_call);
  a.mov(x86::rdi, top_frame);
  find_optimised_caller(deoptimize_call);
  a.mov(x86::rcx, x86::qword_ptr(x86::rdi, offsetof(Frame, method)));
  a.movzx(x86::ecx, x86::word_ptr(x86::rcx, offsetof(Method, max_locals)));
  a.neg(x86::rcx);
  a.lea(locals_register, x86::ptr(x86::rdi, x86::rcx, 3));
  return_exception_to_caller();

  // The stubs throw_ and throw_inlined execute athrow. The exception is the top operand. If this operand is null,
  // athrow must throw a NullPointerException instead; the stubs then deoptimize the frame, and the interpreter throws
  // it.
  static_assert(sizeof(Method::max_locals) == sizeof(u16));
  Mem pending = x86::qword_ptr(thread_register, offsetof(JavaThread, pending_exception));
  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(throw_);
  a.test(x86::rdx, x86::rdx);
  a.je(deoptimize);
  find_optimised_caller(deoptimize);
  a.mov(pending, x86::rdx);
  return_exception_to_caller();
  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(throw_inlined);
  a.mov(x86::rdx, x86::qword_ptr(x86::r13));
  a.test(x86::rdx, x86::rdx);
  a.je(deoptimize_inlined);
  find_optimised_caller(deoptimize_inlined);
  a.mov(pending, x86::rdx);
  return_exception_to_caller();

  a.bind(lock_and_start);
  a.mov(locals_of_frame, locals_register);
  a.mov(x86::rax, x86::qword_ptr(x86::rdi, offsetof(Frame, caller)));
  a.lea(x86::rcx, x86::ptr(locals_register, -static_cast<i32>(sizeof(Slot))));
  a.mov(x86::qword_ptr(x86::rax, offsetof(Frame, sp)), x86::rcx);
  a.mov(x86::rsi, dispatch);
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_lock_and_start)));
  a.jmp(hand_over);

  a.align(asmjit::AlignMode::kCode, 16);
  a.bind(search);
  a.mov(x86::r12, x86::qword_ptr(x86::rdi, offsetof(Frame, pc)));
  a.mov(x86::rdx, x86::qword_ptr(x86::r13));
  a.mov(x86::rsi, dispatch);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rax, imm(reinterpret_cast<u64>(plain_table)));
  a.movzx(x86::r8d, x86::cx);
  a.jmp(x86::qword_ptr(x86::rax, x86::r8, 3));

  a.bind(recompile);
  a.mov(locals_of_frame, locals_register);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_recompile_and_interpret)));
  a.jmp(hand_over);

  holder.flatten();
  holder.relocateToBase(address);
  holder.copyFlattenedData(code_cache::writable(address), holder.codeSize());
  auto at = [&](const Label& label) { return static_cast<uptr>(address + holder.labelOffset(label)); };
  auto entry_at = [&](const Label& label) { return as_method_entry(reinterpret_cast<Handler>(at(label))); };
  made = {
      at(fallback),
      at(fallback_unresolved),
      at(side_exit),
      at(deoptimize),
      at(recompile),
      at(deoptimize_obsolete),
      at(hand_over),
      at(enter_slowly),
      at(deoptimize_call),
      at(deoptimize_inlined),
      at(lock_and_start),
      at(deoptimize_or_unwind),
      at(throw_),
      at(throw_inlined),
      at(search),
      {entry_at(entry_of_compiled), entry_at(code_to_entry), reinterpret_cast<const void*>(at(return_to_interpreter))}};
  code_cache::commit(address, holder.codeSize(), "keyhole::stubs");
  gdb::add(address, holder.codeSize(), "keyhole::stubs", {{called, returned}});
}

}  // namespace keyhole
