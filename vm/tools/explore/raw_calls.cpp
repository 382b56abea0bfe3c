// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of raw_calls.h.
#include "vm/tools/explore/raw_calls.h"

// The kernel does not trap system calls from the range between keyhole_raw_begin and keyhole_raw_end. It looks up the
// address after the syscall instruction, so one more instruction of the range must follow the last syscall instruction.
asm(R"(
.pushsection .text
.globl keyhole_raw_begin, keyhole_raw_call, keyhole_raw_return_from_signal, keyhole_raw_end
.hidden keyhole_raw_begin, keyhole_raw_call, keyhole_raw_return_from_signal, keyhole_raw_end
.type keyhole_raw_call, @function
.p2align 4
keyhole_raw_begin:
keyhole_raw_call:
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  retq
keyhole_raw_return_from_signal:
  movl $15, %eax
  syscall
  ud2
keyhole_raw_end:
.popsection
)");
