// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HashChainsPlus3FastPath (runtime/sync/algorithms/hashchains_plus3_fast_path.h) as machine code. Rules:
// runtime/sync/algorithms/hashchains_plus3.h.
//
//   enter   if the low bits are 01 and Locked is clear, sets Locked by CAS; the record is then `outer`. If the record
//           below is of the same object, and holds it, the record is `nested`
//   exit    a `nested` record needs nothing else. For an `outer` record, if WaitersExist is clear, clears Locked by CAS
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"
#include "runtime/sync/fast_paths.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

namespace {

using Snippet = sync::HashChainsPlus3FastPath<sync::SyncWorld>;
constexpr i32 below = -static_cast<i32>(sizeof(LockRecord));  // distance from a record to the previous one

Mem displaced_of(Gp record, i32 distance = 0) {
  return x86::qword_ptr(record, distance + static_cast<i32>(offsetof(LockRecord, displaced)));
}

void enter(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label held = a.newLabel(), done = a.newLabel();
  a.comment("; hashchains+3: Locked by CAS (R3), record = outer (R1); or the record below is the object's: nested");
  a.mov(header_part(x86::rax), header_of(at.object));
  a.mov(x86::ecx, x86::eax);
  a.and_(x86::ecx, imm(layout::lock_mask | layout::held_bit));
  a.cmp(x86::ecx, imm(layout::unlocked));
  a.jne(held);
  a.mov(header_part(x86::rdx), header_part(x86::rax));
  a.or_(header_part(x86::rdx), imm(layout::held_bit));
  a.lock().cmpxchg(header_of(at.object), header_part(x86::rdx));  // R3: acquire
  a.jne(slow);
  a.mov(displaced_of(at.record), imm(Snippet::outer));
  a.jmp(done);
  a.bind(held);
  a.cmp(at.record, x86::qword_ptr(thread_register, offsetof(JavaThread, lock_records)));
  a.je(slow);
  a.cmp(x86::qword_ptr(at.record, below + static_cast<i32>(offsetof(LockRecord, object))), at.object);
  a.jne(slow);
  a.cmp(displaced_of(at.record, below), imm(Snippet::not_held));
  a.je(slow);
  a.mov(displaced_of(at.record), imm(Snippet::nested));
  a.bind(done);
}

void exit(x86::Assembler& a, const LockOperands& at, Label slow) {
  Label done = a.newLabel();
  a.comment("; hashchains+3: nested, or nobody waits (R2): Locked cleared by CAS (R3)");
  a.mov(x86::rcx, displaced_of(at.record));
  a.cmp(x86::rcx, imm(Snippet::nested));
  a.je(done);
  a.cmp(x86::rcx, imm(Snippet::outer));
  a.jne(slow);
  a.mov(header_part(x86::rax), header_of(at.object));
  a.test(x86::eax, imm(layout::waiters_bit));  // R2
  a.jnz(slow);
  a.mov(header_part(x86::rdx), header_part(x86::rax));
  a.and_(header_part(x86::rdx), imm(~static_cast<i64>(layout::held_bit)));
  a.lock().cmpxchg(header_of(at.object), header_part(x86::rdx));  // R3: release
  a.jne(slow);
  a.bind(done);
  a.mov(displaced_of(at.record), imm(Snippet::not_held));
}

}  // namespace

const LockSnippet hashchains_plus3_snippet = {enter, exit};

}  // namespace keyhole::baseline
