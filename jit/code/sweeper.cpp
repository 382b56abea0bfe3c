// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches which code is still called, and sweeps the code cache: finds code that has frames, then frees other code.
#include "jit/code/sweeper.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "jit/code/assumptions.h"
#include "jit/code/code_cache.h"
#include "jit/code/compile_queue.h"
#include "jit/code/gdb_interface.h"
#include "jit/code/method_codes.h"
#include "jit/code/obsolete_code.h"
#include "runtime/base/log.h"
#include "runtime/threads/threads.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::sweeper {

using namespace interpreter;

namespace {

std::vector<CompiledCode*> all;  // the oldest comes first
bool is_watching = false;

MethodCode* body_of(const CompiledCode* code) { return code->method->body.load(std::memory_order_acquire); }
bool is_newest(const CompiledCode* code) { return body_of(code)->compiled.load(std::memory_order_relaxed) == code; }

// Stacks: a snapshot of all threads' stacks for the sweeper. It has the call sites at which frames wait in compiled
// code, and all methods that have a frame.
struct Stacks {
  std::vector<uptr> call_sites;  // in ascending order
  std::unordered_set<const Method*> methods;

  Stacks() {
    threads::for_each([this](JavaThread* thread) {
      for (const VirtualFrame& activation : virtual_frames(thread)) {
        if (activation.is_native()) continue;
        methods.insert(activation.method());
        if (!activation.is_inlined() && calls_from_code(activation.frame()))
          call_sites.push_back(reinterpret_cast<uptr>(activation.frame()->pc));
      }
    });
    std::sort(call_sites.begin(), call_sites.end());
  }
  bool are_in(const CompiledCode* code) const {
    auto first = std::lower_bound(call_sites.begin(), call_sites.end(), uptr{code->begin});
    return first != call_sites.end() && *first < code->begin + code->code_bytes;
  }
};

// Frees the code's memory. The caller has removed the code from all lists.
void discard(CompiledCode* code) {
  gdb::remove(code->begin);
  code_cache::release(code->begin, code->code_bytes);
  if (code->resource != nullptr) tiers::tier()->forget(code->resource, code->level);
  assumptions::forget(code);
  delete code;
}

// Removes the code from its method's chain of codes.
void unlink(CompiledCode* retired) {
  if (is_newest(retired)) return body_of(retired)->compiled.store(previous_of(retired), std::memory_order_release);
  CompiledCode* newer = body_of(retired)->compiled.load(std::memory_order_relaxed);
  while (previous_of(newer) != retired) newer = previous_of(newer);
  newer->previous.store(previous_of(retired), std::memory_order_release);
}

// Retires and frees all code for which goes(code) is true.
template <typename Goes> usize free_code(Goes&& goes) {
  usize count = 0;
  std::erase_if(all, [&](CompiledCode* code) {
    if (!goes(code)) return false;
    KEYHOLE_LOG(debug, codecache, "*flushing  nmethod {:3}/{:#018x}. Live blobs:{}/Free CodeCache:{}Kb", code->number,
                code->entry, all.size() - ++count, (code_cache::free_bytes() + code->code_bytes) / 1024);
    method_codes::retire(code, Retired::Unused);
    unlink(code);
    discard(code);
    return true;
  });
  return count;
}

}  // namespace

const std::vector<CompiledCode*>& all_code() { return all; }
void add(CompiledCode* code) { all.push_back(code); }

void watch_when_filled() {
  if (is_watching || code_cache::free_bytes() > code_cache::capacity_bytes() / 4) return;
  is_watching = true;
  for (CompiledCode* code : all) {
    if (newest_in_use(body_of(code)) != code) continue;
    code->is_watched = true;
    // If the method's entry point runs a getter or an intrinsic, calls of the method do not enter this code. Then calls
    // are not counted, and the next sweep may free the code.
    if (!method_codes::is_installed(code->method)) continue;
    method_codes::count_calls(code->method);
    body_of(code)->calls_left.store(1, std::memory_order_relaxed);
    body_of(code)->back_edges_left.store(1, std::memory_order_relaxed);
  }
}

bool sweep(usize wanted_bytes) {
  Stacks stacks;
  usize before = code_cache::free_bytes();
  is_watching = false;
  auto is_enough = [&] {
    return code_cache::free_bytes() >= code_cache::capacity_bytes() / 8 &&
           code_cache::largest_room().bytes >= wanted_bytes;
  };
  auto may_go = [&](const CompiledCode* code) { return !code->is_retired() && !stacks.methods.contains(code->method); };
  usize retired = free_code([&](const CompiledCode* code) { return code->is_retired() && !stacks.are_in(code); });
  usize uncalled = free_code([&](const CompiledCode* code) { return code->is_watched && may_go(code); });
  usize oldest = free_code([&](const CompiledCode* code) { return !is_enough() && may_go(code); });
  KEYHOLE_LOG(info, codecache,
              "Sweep: {} retired, {} not called lately, {} oldest; {} nmethods stay; free {}Kb -> {}Kb of {}Kb",
              retired, uncalled, oldest, all.size(), before / 1024, code_cache::free_bytes() / 1024,
              code_cache::capacity_bytes() / 1024);
  if (retired + uncalled + oldest != 0) synchronize_instructions();
  return code_cache::largest_room().bytes >= wanted_bytes;
}

void discard_all(CompiledCode* newest) {
  while (newest != nullptr) {
    CompiledCode* previous = previous_of(newest);
    std::erase(all, newest);
    discard(newest);
    newest = previous;
  }
}

}  // namespace keyhole::sweeper
