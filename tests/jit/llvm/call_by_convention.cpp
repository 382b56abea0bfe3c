// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls compiled code with the convention of compiled code (jit/code/registers.h), and stores its results
// (code_for_tests.h). When the code returns, r15 holds the thread.
asm(R"(
.text
.globl call_by_convention
call_by_convention:
  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15; push %r9
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %r13
  mov %rcx, %rdx
  mov %rcx, %r14
  mov %r8, %r15
  push %r15
  sub $8, %rsp
  call *%rax
  add $8, %rsp
  pop %r9
  cmp %r9, %r15
  je 1f
  ud2
1:
  pop %r9
  mov %eax, %eax
  mov %rax, (%r9)
  mov %rdx, 8(%r9)
  mov %rcx, 16(%r9)
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
  ret
)");
