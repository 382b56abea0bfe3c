// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast paths of locking algorithms as machine code, corresponding to the interpreter's snippets of
// runtime/sync/fast_paths.def.
//
//   enter   the object is not null; the record is free, and above the top of the thread's records
//   exit    the record is the object's, and the newest of the frame
//
// Each falls through when it is done, or jumps to `slow` with nothing changed. Free to use: rax, rcx, rdx. The snippet
// is selected once, when code is made. Each file corresponds to a C++ snippet in runtime/sync, cites the same rules,
// and shows them in listings.
#pragma once

#include <bit>

#include "jit/baseline/header_word.h"
#include "runtime/sync/algorithm.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

// Converts the index of a lock record to its offset.
inline constexpr u32 lock_record_shift = std::countr_zero(sizeof(LockRecord));
static_assert(std::has_single_bit(sizeof(LockRecord)));

struct LockOperands {
  Gp object, record;  // neither is one of rax, rcx, rdx; both are preserved
};

struct LockSnippet {
  void (*enter)(x86::Assembler& a, const LockOperands& at, Label slow);
  void (*exit)(x86::Assembler& a, const LockOperands& at, Label slow);
};

extern const LockSnippet lightweight_snippet, monitor_snippet, legacy_snippet, monitor_table_snippet,
    hashchains_plus3_snippet;

// The snippet of the algorithm. Null if the algorithm has none (or none on this header layout); then the interpreter's
// handler, which has the C++ inline, executes the bytecode.
const LockSnippet* lock_snippet(const sync::FastPathRow& row);

// Enters while no thread contends (lightweight.cpp).
void enter_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
void exit_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
// Enters through the monitor whose address is in rdx, which is preserved (monitor.cpp).
void enter_monitor(x86::Assembler& a, Label slow);
void exit_monitor(x86::Assembler& a, Label slow);

}  // namespace keyhole::baseline
