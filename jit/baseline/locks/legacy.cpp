// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LegacyFastPath (runtime/sync/algorithms/legacy_fast_path.h) as machine code. Rules: runtime/sync/algorithms/legacy.h.
//
//   enter   header ends in 01     saves the header in the record, and sets it to (klass, record, 00) by CAS
//           header ends in 00     if it points at a record of this thread: notes a recursion in the new record
//           header ends in 10     enters the monitor
//   exit    recursion             clears the record
//           header was saved      sets the header from (klass, record, 00) to the saved one by CAS, clears the record
//           no header was saved   exits the monitor
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/legacy_fast_path.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

namespace {

// The number of header bits that the record's address replaces. The bits above them are unchanged
// (layout::displacing_word).
constexpr i32 not_displaced_bits = static_cast<i32>(layout::wide_klass_shift);
static_assert(layout::never_displaced_mask == ~((u64{1} << not_displaced_bits) - 1));

Mem displaced_of(Gp record) { return x86::qword_ptr(record, offsetof(LockRecord, displaced)); }

// Computes the header word of an object whose header `word` is displaced into `record`: to = (klass, record, 00).
void held_word(x86::Assembler& a, Gp to, Gp word, Gp record) {
  a.mov(to, word);
  a.shr(to, imm(not_displaced_bits));
  a.shl(to, imm(not_displaced_bits));
  a.or_(to, record);
  static_assert(layout::locked == 0);
}

void enter(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label held = a.newLabel(), inflated = a.newLabel(), done = a.newLabel();
  a.comment("; legacy: header 01 into the record (R3), header -> record by CAS (R2); 00 and our record: a recursion");
  a.mov(x86::rax, wide_header_of(at.object));
  a.mov(x86::ecx, x86::eax);
  a.and_(x86::ecx, imm(layout::lock_mask));
  a.cmp(x86::ecx, imm(layout::unlocked));
  a.jne(held);
  a.mov(displaced_of(at.record), x86::rax);
  held_word(a, x86::rdx, x86::rax, at.record);
  a.lock().cmpxchg(wide_header_of(at.object), x86::rdx);  // R2, R3
  a.je(done);
  a.mov(displaced_of(at.record), imm(0));
  a.jmp(slow);

  a.bind(held);
  a.mov(x86::rdx, imm(layout::displaced_pointer_mask));
  a.and_(x86::rdx, x86::rax);
  a.test(x86::ecx, x86::ecx);
  a.jnz(inflated);
  a.sub(x86::rdx, x86::qword_ptr(thread_register, offsetof(JavaThread, lock_records)));
  a.mov(x86::eax, x86::dword_ptr(thread_register, offsetof(JavaThread, lock_record_capacity)));
  a.shl(x86::rax, imm(lock_record_shift));
  a.cmp(x86::rdx, x86::rax);
  a.jae(slow);  // if the address is below the first record, rdx is a large unsigned number
  a.mov(displaced_of(at.record), imm(sync::stack_lock_recursion));
  a.jmp(done);

  a.bind(inflated);
  a.cmp(x86::ecx, imm(layout::inflated));
  a.jne(slow);
  enter_monitor(a, slow);
  a.bind(done);
}

void exit(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label unmark = a.newLabel(), through = a.newLabel(), done = a.newLabel();
  a.comment("; legacy: a recursion, or what was kept back into the header by CAS (R2), or the monitor");
  a.mov(x86::rcx, displaced_of(at.record));
  a.cmp(x86::rcx, imm(sync::stack_lock_recursion));
  a.je(unmark);
  a.test(x86::rcx, x86::rcx);
  a.jz(through);
  held_word(a, x86::rax, x86::rcx, at.record);
  // R2. CAS is needed, because another thread may be inflating (R4)
  a.lock().cmpxchg(wide_header_of(at.object), x86::rcx);
  a.jne(slow);
  a.bind(unmark);
  a.mov(displaced_of(at.record), imm(0));
  a.jmp(done);
  a.bind(through);
  monitor_snippet.exit(a, at, slow);
  a.bind(done);
}

}  // namespace

const LockSnippet legacy_snippet = {enter, exit};

}  // namespace keyhole::baseline
