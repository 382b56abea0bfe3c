// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The address ranges of the VM's memory. Every address in a header, a tagged pointer or generated code is below 4 TiB
// (42 bits).
//
//   code cache       below 4 GiB: a cell of the interpreter holds an address in it
//   below 32 GiB     the Java heap: references are 32 bits, shift 3, base 0
//   below 2 GiB      the card table and the object start table, a byte per 512 bytes of heap each: generated code
//                    reaches a card by a 32-bit displacement (gc/barrier.h)
//   klass table      32 MiB of virtual space, Klass* by klass id; its base is a constant so that code needs no load for
//                    it
//   metaspace        Klass, Method, constant pools, symbols, cells: arenas that never move
//   stacks           Java stacks, lock records, monitors
//
// Sanitizers own most of the address space: ASan leaves the first 2 GiB, TSan the first 2 TiB.
#pragma once

#include "runtime/base/page.h"
#include "runtime/base/types.h"

namespace keyhole::address_space {

#if __has_feature(address_sanitizer) || KEYHOLE_LOW_ADDRESSES  // the latter for code without the sanitizer
inline constexpr uptr code_cache_base = 0x0800'0000;           // 128 MiB .. 256 MiB
inline constexpr usize code_cache_reserve_bytes = 128_MiB;
inline constexpr uptr heap_base = 0x1000'0000;  // 256 MiB .. 896 MiB
inline constexpr usize heap_reserve_bytes = 640_MiB;
inline constexpr uptr klass_table_base = 0x3800'0000;  // 32 MiB
inline constexpr uptr metaspace_base = 0x3a00'0000;
inline constexpr usize metaspace_reserve_bytes = 448_MiB;
inline constexpr uptr stacks_base = 0x5600'0000;
inline constexpr usize stacks_reserve_bytes = 656_MiB;
inline constexpr uptr card_table_base = 0x7f00'0000;   // 2 MiB
inline constexpr uptr start_table_base = 0x7f40'0000;  // 2 MiB
#else
inline constexpr uptr code_cache_base = 0x8000'0000;  // 2 GiB .. 2.5 GiB
inline constexpr usize code_cache_reserve_bytes = 512_MiB;
inline constexpr uptr heap_base = 0x1'0000'0000;  // 4 GiB .. 32 GiB
inline constexpr usize heap_reserve_bytes = 28_GiB;
inline constexpr uptr klass_table_base = 0x10'0000'0000;  // 64 GiB
inline constexpr uptr metaspace_base = 0x10'1000'0000;
inline constexpr usize metaspace_reserve_bytes = 4_GiB;
inline constexpr uptr stacks_base = 0x20'0000'0000;  // 128 GiB .. 4 TiB: room for a million virtual threads
#if __has_feature(thread_sanitizer)
inline constexpr usize stacks_reserve_bytes = 1920_GiB;
#else
inline constexpr usize stacks_reserve_bytes = 3968_GiB;
#endif
// The card table takes 56 MiB. It lies above the start of brk, which kernels put up to 1 GiB above the program.
inline constexpr uptr card_table_base = 0x6000'0000;
inline constexpr uptr start_table_base = 0x6400'0000;  // 56 MiB
#endif

// Both functions map `bytes` of zeroed private memory: map_at at exactly `address`, map_stack at the next free place of
// the stacks range with this alignment. The memory is reserved and not backed. Null when the kernel refuses.
void* map_at(uptr address, usize bytes);
void* map_stack(usize bytes, usize alignment = page_bytes);
void unmap(void* address, usize bytes);

}  // namespace keyhole::address_space
