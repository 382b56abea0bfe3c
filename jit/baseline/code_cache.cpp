// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One piece of shared memory, two views of it.
#include "jit/baseline/code_cache.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "runtime/base/address_space.h"
#include "runtime/base/flags.h"

namespace keyhole::baseline::code_cache {
namespace {

constexpr usize alignment = 32;

struct Piece {
  uptr address;
  usize bytes;
  std::string name;
};

struct FaultExit {
  u32 instruction, exit;
};
// Ascending; the entries below the count do not change any more.
FaultExit* fault_exits = nullptr;
std::atomic<u32> fault_exit_count = 0;

uptr begin = 0, top = 0, end = 0;
char* writable_view = nullptr;
std::vector<Piece> pieces;   // with -XX:+DumpPerfMapAtExit

}  // namespace

bool initialize(usize bytes) {
  bytes = std::min(align_up(bytes, usize{4096}), address_space::code_cache_reserve_bytes);
  // Shared memory without a file: a file's size may be limited (ulimit -f). mremap of nothing maps shared pages a second time.
  void* executable = mmap(reinterpret_cast<void*>(address_space::code_cache_base), bytes, PROT_READ | PROT_EXEC,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (executable != reinterpret_cast<void*>(address_space::code_cache_base)) return false;
  void* writable = mremap(executable, 0, bytes, MREMAP_MAYMOVE);
  if (writable == MAP_FAILED || mprotect(writable, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  // A check and its exit take more than the 8 bytes of its entry. Backed as it is filled.
  void* exits = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (exits == MAP_FAILED) return false;
  fault_exits = static_cast<FaultExit*>(exits);
  begin = address_space::code_cache_base;
  top = begin + alignment;   // a sanitizer looks at what stands before a function that is called through a pointer
  end = begin + bytes;
  writable_view = static_cast<char*>(writable);
  return true;
}

uptr next_address() { return top; }
usize free_bytes() { return end - top; }
void* writable(uptr address) { return writable_view + (address - begin); }

void commit(usize bytes, std::string name) {
  if (flags::DumpPerfMapAtExit) pieces.push_back({top, bytes, std::move(name)});
  top = align_up(top + bytes, alignment);
  if (top > end) top = end;
}

void add_fault_exit(uptr instruction, uptr exit) {
  u32 count = fault_exit_count.load(std::memory_order_relaxed);
  fault_exits[count] = {static_cast<u32>(instruction), static_cast<u32>(exit)};
  fault_exit_count.store(count + 1, std::memory_order_release);
}

uptr fault_exit(uptr instruction) {
  if (instruction < begin || instruction >= end) return 0;
  FaultExit* last = fault_exits + fault_exit_count.load(std::memory_order_acquire);
  const FaultExit* found = std::lower_bound(fault_exits, last, instruction, [](const FaultExit& entry, uptr wanted) { return entry.instruction < wanted; });
  return found != last && found->instruction == instruction ? found->exit : 0;
}

bool contains(uptr address) { return address >= begin && address < top; }
usize used_bytes() { return top - begin; }

void dump_perf_map() {
  FILE* file = fopen(fmt::format("/tmp/perf-{}.map", getpid()).c_str(), "w");
  if (file == nullptr) return;
  for (const Piece& piece : pieces) fmt::print(file, "{:x} {:x} {}\n", piece.address, piece.bytes, piece.name);
  fclose(file);
}

}  // namespace keyhole::baseline::code_cache
