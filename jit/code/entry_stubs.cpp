// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assigns entry stubs to methods, and writes the stubs' jumps.
#include "jit/code/entry_stubs.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "jit/code/code_cache.h"
#include "jit/code/gdb_interface.h"

namespace keyhole::entry_stubs {
namespace {

constexpr usize stub_bytes = 8, jump_bytes = 5, few = 64;

std::unordered_map<const Method*, uptr> stubs;
std::vector<uptr> unused;  // the lowest address is last

void write(uptr stub, u64 bytes) {
  static_cast<std::atomic<u64>*>(code_cache::writable(stub))->store(bytes, std::memory_order_release);  // E1, E2
}
constexpr u64 breakpoints = 0xCCCC'CCCC'CCCC'CCCC;

void write_jump(uptr stub, const Method* method) {
  uptr target = reinterpret_cast<uptr>(method->entry_from_code.load(std::memory_order_relaxed));
  u32 distance = static_cast<u32>(target - (stub + jump_bytes));
  write(stub, (breakpoints << (8 * jump_bytes)) | u64{distance} << 8 | 0xE9);
}

}  // namespace

void prepare() {
  if (unused.size() >= few) return;
  usize bytes = std::clamp<usize>(code_cache::capacity_bytes() / 64, few * stub_bytes, 4_KiB);
  code_cache::Room room = code_cache::find_room(bytes);
  if (room.bytes < bytes) return;
  code_cache::commit(room.address, bytes, "keyhole::entry_stubs");
  gdb::add(room.address, bytes, "keyhole::entry_stubs", {});
  for (uptr stub = room.address + bytes; stub > room.address;) {
    stub -= stub_bytes;
    unused.push_back(stub);
    write(stub, breakpoints);
  }
}

uptr of(const Method* method) {
  auto found = stubs.find(method);
  if (found != stubs.end()) return found->second;
  if (unused.empty()) return 0;
  uptr stub = unused.back();
  unused.pop_back();
  stubs.emplace(method, stub);
  write_jump(stub, method);
  return stub;
}

void follow(const Method* method) {
  auto found = stubs.find(method);
  if (found != stubs.end()) write_jump(found->second, method);
}

void release(const Method* method) {
  auto found = stubs.find(method);
  if (found == stubs.end()) return;
  write(found->second, breakpoints);
  unused.push_back(found->second);
  stubs.erase(found);
}

}  // namespace keyhole::entry_stubs
