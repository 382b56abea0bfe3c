// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lock snippets: the fast paths of locking algorithms as machine code. Each corresponds to a C++ snippet of
// runtime/sync/fast_paths.def, which the interpreter inlines. The caller guarantees:
//
//   enter   the object is not null; the record is free, and above the top of the thread's records
//   exit    the record is the object's, and the newest of the frame
//
// A snippet falls through when it has succeeded. Otherwise it jumps to `slow` and has changed nothing. It may use rax,
// rcx and rdx. The compiler selects the snippet when it makes code. Each file cites the rules of its C++ snippet, and
// shows them in listings.
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
  Gp object, record;  // registers other than rax, rcx, rdx; the snippet preserves both
};

struct LockSnippet {
  void (*enter)(x86::Assembler& a, const LockOperands& at, Label slow);
  void (*exit)(x86::Assembler& a, const LockOperands& at, Label slow);
};

extern const LockSnippet lightweight_snippet, monitor_snippet, legacy_snippet, monitor_table_snippet,
    hashchains_plus3_snippet;

// Returns the snippet of the active algorithm. Returns null if the algorithm has no snippet for this header layout;
// then the interpreter's handler, which has the C++ inline, executes the bytecode.
const LockSnippet* lock_snippet(const sync::FastPathRow& row);

// Enters an uncontended lock in the header (lightweight.cpp).
void enter_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
void exit_lightweight(x86::Assembler& a, const LockOperands& at, Label slow);
// Enters through the monitor whose address is in rdx, which is preserved (monitor.cpp).
void enter_monitor(x86::Assembler& a, Label slow);
void exit_monitor(x86::Assembler& a, Label slow);

}  // namespace keyhole::baseline
