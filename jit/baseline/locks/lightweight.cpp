// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LightweightFastPath (runtime/sync/algorithms/lightweight_fast_path.h) and LightweightMonitorFastPath
// (lightweight_monitor_fast_path.h) as machine code. Rules: runtime/sync/algorithms/lightweight.h.
//
//   enter   sets the header from 01 to 00 by CAS, or finds the object on top of the lock stack already; pushes the
//           object
//   exit    if the object is on top of the lock stack, pops it; if it is not the entry below as well, sets the header
//           from 00 to 01 by CAS
//   both    otherwise, if the header leads to a monitor, use that (monitor.cpp)
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

namespace {

Mem lock_stack_top() { return x86::dword_ptr(thread_register, offsetof(JavaThread, lock_stack_top)); }
Mem lock_stack_entry(Gp top, i32 below_top) {
  return x86::qword_ptr(thread_register, top, 3, static_cast<i32>(offsetof(JavaThread, lock_stack)) - 8 * below_top);
}

}  // namespace

void enter_lightweight(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label held = a.newLabel(), push = a.newLabel();
  a.comment("; lightweight: header 01 -> 00 (R2), else on top of the lock stack (R4)");
  a.mov(x86::ecx, lock_stack_top());
  a.cmp(x86::ecx, imm(JavaThread::lock_stack_capacity));
  a.jae(slow);
  a.mov(header_part(x86::rax), header_of(at.object));
  a.mov(header_part(x86::rdx), header_part(x86::rax));
  a.xor_(header_part(x86::rdx), imm(layout::unlocked));
  a.test(x86::edx, imm(layout::lock_mask));
  a.jnz(held);
  a.lock().cmpxchg(header_of(at.object), header_part(x86::rdx));  // R2: acquire
  a.jne(slow);
  a.jmp(push);
  // R4: the object on top of our lock stack is ours; the header does not matter.
  a.bind(held);
  a.test(x86::ecx, x86::ecx);
  a.jz(slow);
  a.cmp(lock_stack_entry(x86::rcx, 1), at.object);
  a.jne(slow);
  a.bind(push);
  a.mov(lock_stack_entry(x86::rcx, 0), at.object);
  a.inc(lock_stack_top());
}

void exit_lightweight(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label release = a.newLabel(), pop = a.newLabel();
  a.comment("; lightweight: pop; header 00 -> 01 (R3) unless it is on the lock stack once more");
  a.mov(x86::ecx, lock_stack_top());
  a.test(x86::ecx, x86::ecx);
  a.jz(slow);
  a.cmp(lock_stack_entry(x86::rcx, 1), at.object);
  a.jne(slow);
  a.cmp(x86::ecx, imm(1));
  a.je(release);
  a.cmp(lock_stack_entry(x86::rcx, 2), at.object);
  a.je(pop);
  a.bind(release);  // R3: CAS is needed, because a contender may inflate, and any thread may install a hash
  a.mov(header_part(x86::rax), header_of(at.object));
  a.test(x86::eax, imm(layout::lock_mask));
  a.jnz(slow);
  a.mov(header_part(x86::rdx), header_part(x86::rax));
  a.or_(header_part(x86::rdx), imm(layout::unlocked));
  a.lock().cmpxchg(header_of(at.object), header_part(x86::rdx));
  a.jne(slow);
  a.bind(pop);
  a.dec(lock_stack_top());
}

namespace {

template <auto lightweight, auto LockSnippet::* part>
void either(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label inflated = a.newLabel(), done = a.newLabel();
  lightweight(a, at, inflated);
  a.jmp(done);
  a.bind(inflated);
  (monitor_snippet.*part)(a, at, slow);
  a.bind(done);
}

}  // namespace

const LockSnippet lightweight_snippet = {either<enter_lightweight, &LockSnippet::enter>,
                                         either<exit_lightweight, &LockSnippet::exit>};

}  // namespace keyhole::baseline
