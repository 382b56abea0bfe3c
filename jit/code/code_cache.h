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

// Reserves the cache. Call it once. Returns false if the address space is not available.
[[nodiscard]] bool initialize(usize bytes);

// --- under the compiler's lock ---------------------------------------------------------------------------------------
struct Room {
  uptr address;
  usize bytes;
};
// Returns the smallest free piece of at least `expected_bytes`, or the largest piece if there is none.
Room find_room(usize expected_bytes);
Room largest_room();
// The writable address for an address in the cache.
void* writable(uptr address);
// Turns the first `bytes` of a free piece into code. `name` is for the perf map.
void commit(uptr address, usize bytes, std::string name);
// Frees code. The world is stopped, and no frame is in the code.
void release(uptr address, usize bytes);
usize capacity_bytes();
usize free_bytes();
// ---------------------------------------------------------------------------------------------------------------------

bool contains(uptr address);

// --- implicit null checks --------------------------------------------------------------------------------------------
// Registered instructions may access the zero page, which no process can map. When one does, the signal handler
// continues at the instruction's fault exit.
inline constexpr usize zero_page_bytes = 64_KiB;
// Call it under the compiler's lock. release() removes the fault exits of the code that it frees.
void add_fault_exit(uptr instruction, uptr exit);
// The exit for the instruction; 0 if the instruction is not registered. Signal handlers of any thread call it.
uptr fault_exit(uptr instruction);
void dump_perf_map();  // /tmp/perf-<pid>.map

}  // namespace keyhole::code_cache
