// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One memfd, two views of it.
#include "jit/baseline/code_cache.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
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

uptr begin = 0, top = 0, end = 0;
char* writable_view = nullptr;
std::vector<Piece> pieces;   // with -XX:+DumpPerfMapAtExit

}  // namespace

bool initialize(usize bytes) {
  bytes = std::min(align_up(bytes, usize{4096}), address_space::code_cache_reserve_bytes);
  int file = memfd_create("keyhole-code", MFD_CLOEXEC);
  if (file < 0) return false;
  bool mapped = false;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    void* executable = mmap(reinterpret_cast<void*>(address_space::code_cache_base), bytes, PROT_READ | PROT_EXEC,
                            MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    void* writable = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mapped = executable == reinterpret_cast<void*>(address_space::code_cache_base) && writable != MAP_FAILED;
    begin = top = address_space::code_cache_base;
    end = begin + bytes;
    writable_view = static_cast<char*>(writable);
  }
  close(file);
  return mapped;
}

uptr next_address() { return top; }
usize free_bytes() { return end - top; }
void* writable(uptr address) { return writable_view + (address - begin); }

void commit(usize bytes, std::string name) {
  if (flags::DumpPerfMapAtExit) pieces.push_back({top, bytes, std::move(name)});
  top = align_up(top + bytes, alignment);
  if (top > end) top = end;
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
