// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where compiled code lives: -XX:ReservedCodeCacheSize bytes below 4 GiB, so that a cell can hold an address in it.
//
// Mapped twice, once to write and once to execute (never both): code is written through one view and runs in the other.
// Under an emulator of the processor one mapping is both views.
//
//    begin                                                                   end
//   | stubs | code | free | code | code | free                               |
//
// A piece is free, or one method's code. New code goes to the smallest free piece that is expected to hold it; what is
// over stays free. Free neighbours are one piece. Code is not changed while it is there: what is freed is written again
// only after a safepoint at which nobody was in it (sweeper.h).
#pragma once

#include <string>

#include "runtime/base/types.h"

namespace keyhole::code_cache {

// False when the address space cannot be had. Once.
[[nodiscard]] bool initialize(usize bytes);

// --- under the compiler's lock ---------------------------------------------------------------------------------------
struct Room {
  uptr address;
  usize bytes;
};
// The smallest free piece of `expected_bytes`, else the largest there is.
Room find_room(usize expected_bytes);
Room largest_room();
// Where the bytes for an address in the cache are written.
void* writable(uptr address);
// `bytes` at the beginning of a free piece are code now. `name` is for the perf map.
void commit(uptr address, usize bytes, std::string name);
// World stopped, nobody is in it.
void release(uptr address, usize bytes);
usize capacity_bytes();
usize free_bytes();
// ---------------------------------------------------------------------------------------------------------------------

bool contains(uptr address);

// --- implicit null checks --------------------------------------------------------------------------------------------
// Instructions that may access the zero page, which nobody can map, and where to go on when one does.
inline constexpr usize zero_page_bytes = 64_KiB;
// Under the compiler's lock; release() forgets those of the code.
void add_fault_exit(uptr instruction, uptr exit);
// Of any thread, in a signal handler. 0: no such instruction.
uptr fault_exit(uptr instruction);
void dump_perf_map();   // /tmp/perf-<pid>.map

}  // namespace keyhole::code_cache
