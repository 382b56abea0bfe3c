// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of snippets, by the algorithm's fast path, and RecordedFastPath
// (runtime/sync/recording/recorded_fast_path.h) around each of them.
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

namespace {

// Loads into rax the thread's CoalescedPairs that the object maps to. Jumps to `slow` if they belong to another object.
void load_run(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.mov(x86::eax, at.object.r32());
  a.and_(x86::eax, imm(coalesced_pairs_mask));
  a.add(x86::rax, x86::qword_ptr(thread_register, offsetof(JavaThread, coalesced_pairs)));
  a.cmp(x86::qword_ptr(x86::rax, offsetof(CoalescedPairs, object)), at.object);
  a.jne(slow);
}
x86::Mem left(x86::Gp run) { return x86::dword_ptr(run, offsetof(CoalescedPairs, left)); }

template <const LockSnippet& plain> void enter_recorded(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.comment("; recorded: only if the thread counts pairs of this object");
  load_run(a, at, slow);
  plain.enter(a, at, slow);
}

template <const LockSnippet& plain> void exit_recorded(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.comment("; recorded: ... and may count one more");
  load_run(a, at, slow);
  a.cmp(left(x86::rax), imm(0));
  a.je(slow);
  plain.exit(a, at, slow);
  a.mov(x86::eax, at.object.r32());
  a.and_(x86::eax, imm(coalesced_pairs_mask));
  a.add(x86::rax, x86::qword_ptr(thread_register, offsetof(JavaThread, coalesced_pairs)));
  a.dec(left(x86::rax));
}

template <const LockSnippet& plain> constexpr LockSnippet recorded_over = {enter_recorded<plain>, exit_recorded<plain>};

}  // namespace

const LockSnippet* lock_snippet(sync::FastPathKind kind) {
  using Kind = sync::FastPathKind;
  switch (kind) {
    case Kind::lightweight: return layout::can_displace ? &lightweight_snippet : nullptr;
    case Kind::monitor: return layout::can_displace ? &monitor_snippet : nullptr;
    case Kind::legacy: return layout::can_displace ? &legacy_snippet : nullptr;
    case Kind::monitor_table: return &monitor_table_snippet;
    case Kind::hashchains_plus3: return &hashchains_plus3_snippet;
    case Kind::recorded_lightweight: return layout::can_displace ? &recorded_over<lightweight_snippet> : nullptr;
    case Kind::recorded_monitor: return layout::can_displace ? &recorded_over<monitor_snippet> : nullptr;
    case Kind::recorded_legacy: return layout::can_displace ? &recorded_over<legacy_snippet> : nullptr;
    case Kind::recorded_monitor_table: return &recorded_over<monitor_table_snippet>;
    case Kind::recorded_hashchains_plus3: return &recorded_over<hashchains_plus3_snippet>;
    default: return nullptr;
  }
}

}  // namespace keyhole::baseline
