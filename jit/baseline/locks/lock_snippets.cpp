// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of snippets by the algorithm's fast path. Also RecordedFastPath
// (runtime/sync/recording/recorded_fast_path.h), which wraps a snippet when locks are recorded.
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

namespace {

// Loads into rax the address of the thread's CoalescedPairs entry to which the object maps. Jumps to `slow` if the
// entry belongs to another object.
void load_coalesced_pairs(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.mov(x86::eax, at.object.r32());
  a.and_(x86::eax, imm(coalesced_pairs_mask));
  a.add(x86::rax, x86::qword_ptr(thread_register, offsetof(JavaThread, coalesced_pairs)));
  a.cmp(x86::qword_ptr(x86::rax, offsetof(CoalescedPairs, object)), at.object);
  a.jne(slow);
}
x86::Mem left(x86::Gp pairs) { return x86::dword_ptr(pairs, offsetof(CoalescedPairs, left)); }

template <const LockSnippet& plain> void enter_recorded(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.comment("; recorded: only if the thread counts pairs of this object");
  load_coalesced_pairs(a, at, slow);
  plain.enter(a, at, slow);
}

template <const LockSnippet& plain> void exit_recorded(x86::Assembler& a, const LockOperands& at, Label slow) {
  a.comment("; recorded: ... and may count one more");
  load_coalesced_pairs(a, at, slow);
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

const LockSnippet* lock_snippet(const sync::FastPathRow& row) {
  namespace rows = sync::fast_path_rows;
  struct Choice {
    const sync::FastPathRow* row;
    const LockSnippet* snippet;
    bool displaces;  // headers
  };
  static constexpr Choice choices[] = {
      {&rows::lightweight, &lightweight_snippet, true},
      {&rows::monitor, &monitor_snippet, true},
      {&rows::legacy, &legacy_snippet, true},
      {&rows::monitor_table, &monitor_table_snippet, false},
      {&rows::hashchains_plus3, &hashchains_plus3_snippet, false},
      {&rows::recorded_lightweight, &recorded_over<lightweight_snippet>, true},
      {&rows::recorded_monitor, &recorded_over<monitor_snippet>, true},
      {&rows::recorded_legacy, &recorded_over<legacy_snippet>, true},
      {&rows::recorded_monitor_table, &recorded_over<monitor_table_snippet>, false},
      {&rows::recorded_hashchains_plus3, &recorded_over<hashchains_plus3_snippet>, false},
  };
  for (const Choice& choice : choices) {
    if (choice.row == &row) return choice.displaces && !layout::can_displace ? nullptr : choice.snippet;
  }
  return nullptr;
}

}  // namespace keyhole::baseline
