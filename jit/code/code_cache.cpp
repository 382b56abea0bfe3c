// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the code cache: its mappings, the allocation of pieces, and the table of fault exits.
#include "jit/code/code_cache.h"

#include <cpuid.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/base/code_memory.h"
#include "runtime/base/flags.h"
#include "runtime/base/page.h"
#include "runtime/base/print.h"

namespace keyhole::code_cache {
namespace {

constexpr usize alignment = 32;

// The table of fault exits, a hash table with linear probing. The upper half of an entry is the address of an
// instruction, the lower half is the address of its exit. The table has one entry for each eight bytes of code. The
// search for an instruction starts at its offset in the cache divided by eight, so that entries of neighbouring
// instructions share a page. Entries are 64-bit words, so that a signal handler reads each atomically.
std::atomic<u64>* fault_exits = nullptr;
constexpr u64 removed = 1;
usize fault_exit_capacity = 0;

uptr begin = 0, end = 0;
char* writable_view = nullptr;
std::map<uptr, usize> free_pieces;
usize free_in_all = 0;
struct Named {
  usize bytes;
  std::string name;
};
std::map<uptr, Named> named;  // used with -XX:+DumpPerfMapAtExit only

usize place_of(uptr instruction) { return (instruction - begin) / sizeof(u64); }

void forget_fault_exits(uptr address, usize bytes) {
  for (usize i = place_of(address); i < fault_exit_capacity; ++i) {
    u64 entry = fault_exits[i].load(std::memory_order_relaxed);
    if (entry == 0 && i > place_of(address + bytes)) return;
    if ((entry >> 32) - address < bytes) fault_exits[i].store(removed, std::memory_order_relaxed);
  }
}

// Whether the processor executes code as it was last written through the writable view. Uses the first bytes of the
// views, which stay free.
bool executes_rewritten_code(void* executable, void* writable) {
  constexpr u8 return_1[] = {0xB8, 1, 0, 0, 0, 0xC3};  // mov eax, 1; ret
  u8* code = static_cast<u8*>(writable);
  auto call = reinterpret_cast<u32 (*)()>(executable);
  memcpy(code, return_1, sizeof return_1);
  u32 first = call();
  code[1] = 2;
  u32 eax = 0, ebx = 0, ecx = 0, edx = 0;
  __cpuid(0, eax, ebx, ecx, edx);  // a processor may have fetched the code by its other address: this discards it
  u32 second = call();
  memset(code, 0, sizeof return_1);
  return first == 1 && second == 2;
}

// Maps the executable view at its fixed address, and returns the writable view of the same memory. Returns null if the
// system refuses a mapping.
//
// The memory is shared and anonymous, not a memfd, because `ulimit -f` also limits the size of files in memory. An
// mremap of zero bytes maps shared pages a second time. Under emulators of a processor (qemu-user) one mapping is both
// views: an emulator discards its translation of code when it sees a write to the code's address. If the code were
// written through a second mapping, the emulator would keep the old translation. Older emulators refuse the mremap.
char* map_views(usize bytes) {
  void* const base = reinterpret_cast<void*>(address_space::code_cache_base);
  if (mmap(base, bytes, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
           0) != base) {
    return nullptr;
  }
  void* second = mremap(base, 0, bytes, MREMAP_MAYMOVE);
  if (second != MAP_FAILED) {
    if (mprotect(second, bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    if (executes_rewritten_code(base, second)) return static_cast<char*>(second);
    munmap(second, bytes);
  }
  return mprotect(base, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) == 0 ? static_cast<char*>(base) : nullptr;
}

}  // namespace

bool initialize(usize bytes) {
  bytes = std::min(align_up(bytes, page_bytes), address_space::code_cache_reserve_bytes);
  char* writable = map_views(bytes);
  if (writable == nullptr) return false;
  // The table has an entry for each 8 bytes of code. A null check and its exit are longer than that, so the table
  // cannot overflow. The operating system commits the table's memory only where entries are written.
  fault_exit_capacity = bytes / sizeof(u64) + 4096;
  void* exits = mmap(nullptr, fault_exit_capacity * sizeof(u64), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (exits == MAP_FAILED) return false;
  fault_exits = static_cast<std::atomic<u64>*>(exits);
  begin = address_space::code_cache_base;
  end = begin + bytes;
  // Leaves a gap at the beginning of the cache. When a function is called through a pointer, a sanitizer reads the
  // bytes before the function.
  uptr first = begin + alignment;
  free_in_all = end - first;
  free_pieces = {{first, free_in_all}};
  code_memory::capacity_bytes.store(bytes, std::memory_order_relaxed);
  writable_view = writable;
  return true;
}

Room find_room(usize expected_bytes) {
  Room best{0, 0};
  for (auto [address, bytes] : free_pieces) {
    bool better = best.bytes < expected_bytes ? bytes > best.bytes : bytes >= expected_bytes && bytes < best.bytes;
    if (better) best = {address, bytes};
  }
  return best;
}

Room largest_room() { return find_room(~usize{0}); }
usize capacity_bytes() { return end - begin; }
usize free_bytes() { return free_in_all; }
void* writable(uptr address) { return writable_view + (address - begin); }

void commit(uptr address, usize bytes, std::string name) {
  if (flags::DumpPerfMapAtExit) named[address] = {bytes, std::move(name)};
  auto piece = free_pieces.find(address);
  KEYHOLE_CHECK(piece != free_pieces.end() && piece->second >= bytes, "{:#x} is not free", address);
  usize taken = std::min(align_up(bytes, alignment), piece->second), left = piece->second - taken;
  free_pieces.erase(piece);
  if (left != 0) free_pieces[address + taken] = left;
  free_in_all -= taken;
  code_memory::set_used(end - begin - free_in_all);
}

void release(uptr address, usize bytes) {
  named.erase(address);
  forget_fault_exits(address, bytes);
  usize size = std::min(align_up(bytes, alignment), end - address);
  memset(writable(address), 0xCC, size);  // int3
  free_in_all += size;
  code_memory::set_used(end - begin - free_in_all);
  auto next = free_pieces.lower_bound(address);
  if (next != free_pieces.end() && next->first == address + size) {
    size += next->second;
    next = free_pieces.erase(next);
  }
  if (next != free_pieces.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == address) {
      before->second += size;
      return;
    }
  }
  free_pieces[address] = size;
}

void add_fault_exit(uptr instruction, uptr exit) {
  usize i = place_of(instruction);
  while (fault_exits[i].load(std::memory_order_relaxed) > removed) ++i;
  KEYHOLE_CHECK(i + 1 < fault_exit_capacity, "no room for a null check");
  fault_exits[i].store((u64{instruction} << 32) | exit, std::memory_order_release);
}

uptr fault_exit(uptr instruction) {
  if (!contains(instruction)) return 0;
  for (usize i = place_of(instruction); i < fault_exit_capacity; ++i) {
    u64 entry = fault_exits[i].load(std::memory_order_acquire);
    if (entry == 0) return 0;
    if (entry >> 32 == instruction) return static_cast<u32>(entry);
  }
  return 0;
}

bool contains(uptr address) { return address >= begin && address < end; }

void dump_perf_map() {
  FILE* file = fopen(fmt::format("/tmp/perf-{}.map", getpid()).c_str(), "w");
  if (file == nullptr) return;
  for (const auto& [address, code] : named) print_text(file, "{:x} {:x} {}\n", address, code.bytes, code.name);
  fclose(file);
}

}  // namespace keyhole::code_cache
