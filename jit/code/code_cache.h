// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code cache: -XX:ReservedCodeCacheSize bytes below 4 GiB, so that a pre-decoded instruction can hold an address in it.
//
// The cache is mapped twice, once writable and once executable, never both: code is written through one view and runs
// in the other. Under an emulator of the processor one mapping is both views.
//
//    begin                                                                   end
//   | stubs | code | free | code | code | free                               |
//
// A piece is free, or one method's code. New code goes to the smallest free piece that is expected to hold it; the rest
// of that piece stays free. Free neighbours are merged. Installed code is not overwritten: freed space is written again
// only after a safepoint at which no frame was in it (sweeper.h).
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
// World stopped; no frame is in the code.
void release(uptr address, usize bytes);
usize capacity_bytes();
usize free_bytes();
// ---------------------------------------------------------------------------------------------------------------------

bool contains(uptr address);

// --- implicit null checks --------------------------------------------------------------------------------------------
// Instructions that may access the zero page, which no process can map, and the addresses at which the signal handler
// continues when one does.
inline constexpr usize zero_page_bytes = 64_KiB;
// Under the compiler's lock; release() forgets those of the code.
void add_fault_exit(uptr instruction, uptr exit);
// Called in signal handlers of any thread. 0: the instruction was not registered.
uptr fault_exit(uptr instruction);
void dump_perf_map();  // /tmp/perf-<pid>.map

}  // namespace keyhole::code_cache
