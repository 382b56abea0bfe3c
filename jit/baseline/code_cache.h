// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where compiled code lives: -XX:ReservedCodeCacheSize bytes below 4 GiB, so that a cell can hold an address in it.
//
// Mapped twice, once to write and once to execute (never both): code is written through one view, runs in the other, and is not changed
// afterwards. Filled from the bottom; nothing is freed.
#pragma once

#include <string>

#include "runtime/base/types.h"

namespace keyhole::baseline::code_cache {

// False when the address space cannot be had. Once.
[[nodiscard]] bool initialize(usize bytes);

// Under the compiler's lock. The address that the next code will run at, and how much room is left.
uptr next_address();
usize free_bytes();
// Where the bytes for an address in the cache are written.
void* writable(uptr address);
// `bytes` at next_address() are complete. `name` is for the perf map.
void commit(usize bytes, std::string name);

bool contains(uptr address);

// --- implicit null checks --------------------------------------------------------------------------------------------------------
// Instructions that may access the zero page, which nobody can map, and where to go on when one does.
inline constexpr usize zero_page_bytes = 64_KiB;
// Under the compiler's lock, with addresses ascending.
void add_fault_exit(uptr instruction, uptr exit);
// Of any thread, in a signal handler. 0: no such instruction.
uptr fault_exit(uptr instruction);
usize used_bytes();
void dump_perf_map();   // /tmp/perf-<pid>.map

}  // namespace keyhole::baseline::code_cache
