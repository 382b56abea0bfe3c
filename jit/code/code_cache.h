// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code cache: -XX:ReservedCodeCacheSize bytes below 4 GiB, so that a pre-decoded instruction can hold an address of
// code in 32 bits.
//
// The cache's memory is mapped twice (W^X): code is written through the writable view and runs in the executable view.
// Under an emulator of the processor, a single mapping is both views.
//
//    begin                                                                   end
//   | stubs | code | free | code | code | free                               |
//
// Each piece is free or contains one method's code. New code goes to the smallest free piece that is expected to hold
// it (best fit); the rest of that piece stays free. Adjacent free pieces are merged. Installed code is never
// overwritten: its space is reused only after a sweep, at a safepoint, has found no frame in the code (sweeper.h).
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
// Returns the smallest free piece of at least `expected_bytes`. If no free piece is that large, returns the largest.
Room find_room(usize expected_bytes);
Room largest_room();
// Translates an address in the executable view to the address of the same byte in the writable view.
void* writable(uptr address);
// Marks the first `bytes` of a free piece as code. `name` is for the perf map.
void commit(uptr address, usize bytes, std::string name);
// Frees code. The world is stopped, and no frame is in the code.
void release(uptr address, usize bytes);
usize capacity_bytes();
usize free_bytes();
// ---------------------------------------------------------------------------------------------------------------------

bool contains(uptr address);

// --- implicit null checks --------------------------------------------------------------------------------------------
// A registered instruction may access an object through a null reference, in the unmapped page at address 0. The access
// faults, and the signal handler continues at the instruction's fault exit.
inline constexpr usize zero_page_bytes = 64_KiB;
// Registers an instruction that may access null, with its fault exit. The caller holds the compiler's lock. release()
// removes the fault exits of the code that it frees.
void add_fault_exit(uptr instruction, uptr exit);
// Returns the fault exit of an instruction; 0 if the instruction is not registered. Signal handlers of any thread call
// this function.
uptr fault_exit(uptr instruction);
void dump_perf_map();  // /tmp/perf-<pid>.map

}  // namespace keyhole::code_cache
