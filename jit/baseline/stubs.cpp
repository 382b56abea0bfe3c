// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What every method jumps to when it hands its frame to the interpreter.
#include "jit/baseline/stubs.h"

#include "jit/baseline/code_cache.h"
#include "jit/baseline/registers.h"
#include "runtime/base/flags.h"
#include "vm/interpreter/compiler.h"

namespace keyhole::baseline {

using namespace interpreter;

Stubs make_stubs() {
  uptr address = code_cache::next_address();
  asmjit::CodeHolder holder;
  holder.init(asmjit::Environment::host(), address);
  x86::Assembler a(&holder);
  Mem dispatch = x86::qword_ptr(thread_register, offsetof(JavaThread, dispatch));
  Label step = a.newLabel(), leave = a.newLabel(), recompile = a.newLabel(), to_interpreter = a.newLabel(), void_to_interpreter = a.newLabel();

  // With GC stress the cell goes through the table that arms the poll.
  const Handler* first = flags::GCStressSafepointInterval != 0 ? stress_table : plain_table;
  a.bind(step);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rsi, imm(reinterpret_cast<u64>(step_table)));
  a.mov(x86::rax, imm(reinterpret_cast<u64>(first)));
  a.movzx(x86::r8d, x86::cx);
  a.jmp(x86::qword_ptr(x86::rax, x86::r8, 3));

  a.bind(leave);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rsi, dispatch);
  a.movzx(x86::r8d, x86::cx);
  a.jmp(x86::qword_ptr(x86::rsi, x86::r8, 3));

  a.bind(recompile);
  a.mov(x86::rcx, x86::qword_ptr(x86::r12));
  a.mov(x86::rax, imm(reinterpret_cast<u64>(&interp_recompile_and_step)));
  a.jmp(x86::rax);

  a.bind(void_to_interpreter);   // the top operand belongs in its register
  a.mov(x86::rdx, x86::qword_ptr(x86::r13));
  a.bind(to_interpreter);
  a.add(x86::r12, imm(sizeof(Cell)));
  a.mov(x86::rsi, dispatch);
  a.movzx(x86::r8d, x86::cx);
  a.jmp(x86::qword_ptr(x86::rsi, x86::r8, 3));

  holder.flatten();
  holder.relocateToBase(address);
  holder.copyFlattenedData(code_cache::writable(address), holder.codeSize());
  auto at = [&](const Label& label) { return static_cast<uptr>(address + holder.labelOffset(label)); };
  Stubs stubs{at(step), at(leave), at(recompile), at(to_interpreter), at(void_to_interpreter)};
  code_cache::commit(holder.codeSize(), "keyhole::stubs");
  return stubs;
}

}  // namespace keyhole::baseline
