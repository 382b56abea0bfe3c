// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast paths of locking algorithms as machine code: what the snippets of runtime/sync/fast_paths.def are to the
// interpreter.
//
//   enter   the object is not null; the record is free, and above the top of the thread's records
//   exit    the record is the object's, and the newest of the frame
//
// Each falls through when it is done, or jumps to `slow` with nothing changed. Free to use: rax, rcx, rdx. Which
// snippet there is is asked once, when code is made. Each file has the C++ of the snippet beside it in runtime/sync,
// quotes the same rules, and puts them into listings.
#pragma once

#include <bit>

#include "jit/baseline/header_word.h"
#include "runtime/sync/algorithm.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

// From the index of a lock record to its offset.
inline constexpr u32 lock_record_shift = std::countr_zero(sizeof(LockRecord));
static_assert(std::has_single_bit(sizeof(LockRecord)));

struct LockOperands {
  Gp object, record;   // neither is one of rax, rcx, rdx; both are left as they are
};

struct LockSnippet {
  void (*enter)(x86::Assembler& a, const LockOperands& at, Label slow);
  void (*exit)(x86::Assembler& a, const LockOperands& at, Label slow);
};

extern const LockSnippet lightweight_snippet, monitor_snippet, legacy_snippet, monitor_table_snippet,
    hashchains_plus3_snippet;

// Null: the algorithm has none (or none on this header layout), and the interpreter's handler, which has the C++
// inline, runs the cell.
const LockSnippet* lock_snippet(sync::FastPathKind kind);

// As long as nobody contends (lightweight.cpp).
void enter_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
void exit_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
// Through the monitor whose address is in rdx, which stays there (monitor.cpp).
void enter_monitor(x86::Assembler& a, Label slow);
void exit_monitor(x86::Assembler& a, Label slow);

}  // namespace keyhole::baseline
