// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MonitorFastPath (runtime/sync/monitor/monitor_fast_path.h) as machine code. Rules:
// runtime/sync/monitor/object_monitor.h.
//
//   enter   no owner                   sets the owner to this thread's id by CAS, and counts the acquisition
//           the owner is this thread   adds a level
//   exit    nested                     removes a level
//           outermost                  if nobody is queued, or if a successor is awake and nobody is starving, clears
//                                      the owner by an exchange, which is the fence, too; then looks at the queue again
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::baseline {

namespace {

Mem of_monitor(usize offset, u32 bytes = 8) { return x86::ptr(x86::rdx, static_cast<i32>(offset), bytes); }
Mem thread_id() { return x86::qword_ptr(thread_register, offsetof(JavaThread, id)); }

// Loads the address of the monitor from the header into rdx.
void load_monitor(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.mov(x86::rdx, wide_header_of(at.object));
  a.mov(x86::eax, x86::edx);
  a.and_(x86::eax, imm(layout::lock_mask));
  a.cmp(x86::eax, imm(layout::inflated));
  a.jne(slow);
  a.mov(x86::rax, imm(layout::displaced_pointer_mask));
  a.and_(x86::rdx, x86::rax);
}

void enter(x86::Assembler& a, const LockOperands& at, Label slow) {
  load_monitor(a, at, slow);
  enter_monitor(a, slow);
}
void exit(x86::Assembler& a, const LockOperands& at, Label slow) {
  load_monitor(a, at, slow);
  exit_monitor(a, slow);
}

}  // namespace

void enter_monitor(x86::Assembler& a, Label slow) {
  Label owned = a.newLabel(), done = a.newLabel();
  a.comment("; monitor: owner none -> id (R2), or one level more");
  a.mov(x86::rcx, thread_id());
  a.mov(x86::rax, of_monitor(offsetof(ObjectMonitor, owner)));
  a.test(x86::rax, x86::rax);
  a.jnz(owned);
  a.lock().cmpxchg(of_monitor(offsetof(ObjectMonitor, owner)), x86::rcx);  // object_monitor.h R2
  a.jne(slow);
  a.inc(of_monitor(offsetof(ObjectMonitor, acquisitions), 4));  // counted for adaptive succession (regime.h)
  a.jmp(done);
  a.bind(owned);
  a.cmp(x86::rax, x86::rcx);
  a.jne(slow);
  a.inc(of_monitor(offsetof(ObjectMonitor, recursions), 4));
  a.bind(done);
  static_assert(sizeof(ObjectMonitor::acquisitions) == 4);
}

void exit_monitor(x86::Assembler& a, Label slow) {
  Label nested = a.newLabel(), lets_go = a.newLabel(), done = a.newLabel();
  a.comment("; monitor: one level less; or owner -> none (R2), fence, is anybody queued? (R1)");
  a.mov(x86::rcx, thread_id());
  a.cmp(of_monitor(offsetof(ObjectMonitor, owner)), x86::rcx);
  a.jne(slow);
  a.cmp(of_monitor(offsetof(ObjectMonitor, recursions), 4), imm(0));
  a.jne(nested);
  a.cmp(of_monitor(offsetof(ObjectMonitor, entry_list)), imm(0));
  a.je(lets_go);
  a.cmp(of_monitor(offsetof(ObjectMonitor, successor)), imm(0));
  a.je(slow);  // a queued thread must be woken
  a.cmp(of_monitor(offsetof(ObjectMonitor, starving), 4), imm(0));
  a.jne(slow);  // the monitor must be handed to a starving thread (object_monitor.h R10)
  a.bind(lets_go);
  a.xor_(x86::eax, x86::eax);
  // The exchange releases the monitor (object_monitor.h R2). It is a locked instruction, so it is also the fence of R1.
  a.xchg(of_monitor(offsetof(ObjectMonitor, owner)), x86::rax);
  a.cmp(of_monitor(offsetof(ObjectMonitor, entry_list)), imm(0));
  a.je(done);
  a.cmp(of_monitor(offsetof(ObjectMonitor, successor)), imm(0));
  a.jne(done);
  // A thread has queued meanwhile. Either another thread has taken the lock and now has the duty to wake it, or this
  // thread takes the lock again here, as if nothing had changed.
  a.xor_(x86::eax, x86::eax);
  a.lock().cmpxchg(of_monitor(offsetof(ObjectMonitor, owner)), x86::rcx);
  a.jne(done);
  a.jmp(slow);
  a.bind(nested);
  a.dec(of_monitor(offsetof(ObjectMonitor, recursions), 4));
  a.bind(done);
  static_assert(sizeof(ObjectMonitor::recursions) == 4 && sizeof(ObjectMonitor::starving) == 4);
}

const LockSnippet monitor_snippet = {enter, exit};

}  // namespace keyhole::baseline
