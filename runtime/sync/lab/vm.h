// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loaded lock in the VM: its instance over SyncWorld, its row, and the one symbol that the VM looks for.
//
// The translation unit of such a lock, which `keyhole lock` writes, includes this file, poison.h and the author's file,
// and ends with KEYHOLE_LOCK_FOR_VM.
#pragma once

#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/lab/plugin.h"
#include "runtime/sync/sync_world.h"
#include "runtime/threads/safepoint.h"

namespace keyhole::lab {
using ThisWorld = sync::SyncWorld;
}

#include "runtime/sync/lab/keyhole/lock.h"

namespace keyhole::lab {

// Makes the row of the table of algorithms for the instance `lock`.
template <auto& lock> constexpr sync::Algorithm row_over(const Description& description) {
  auto initialize = [] {
    if (flags::SpinPauses >= 0) Patience<ThisWorld>::reads = static_cast<u32>(flags::SpinPauses);
    return std::string();
  };
  sync::Algorithm row = sync::algorithm_over<lock>(description.name, -1, description.idea,
                                                   {
                                                       .header_bits = 0,
                                                       .idle_bytes = 128,
                                                       .held_bytes = 128 + sync::lock_element_bytes,
                                                       .contended_bytes = 128,
                                                       .fairness = description.fairness,
                                                       .recursion = "counted in the thread's element",
                                                       .displacing = "",
                                                       .traces = {.alone = "SB", .contended = "SKB", .hashed = ""},
                                                   },
                                                   &sync::fast_path_rows::none, initialize);
  if constexpr (requires(const JavaThread* thread) { lock.blocked_on(thread); }) {
    row.blocked_on = [](const JavaThread* thread) -> Object* { return lock.blocked_on(thread); };
    row.waiting_on = [](const JavaThread* thread) -> Object* { return lock.waiting_on(thread); };
  }
  if constexpr (requires(JavaThread* thread) { lock.thread_exits(thread); })
    row.thread_exits = [](JavaThread* thread) { lock.thread_exits(thread); };
  row.lock_identity = [](Object* object) -> const void* { return object; };
  // Collections free idle entries. If there are very many entries, an enter also frees idle entries.
  if constexpr (requires { lock.free_idle_entries(); }) {
    row.enter = [](JavaThread* thread, Handle object, LockRecord* record) MAY_SAFEPOINT {
      sync::Status status = lock.enter(thread, object, record);
      static constinit std::atomic<u32> most_entries{1 << 16};
      if (lock.in_use() > most_entries.load(std::memory_order_relaxed)) [[unlikely]] {
        auto free_idle = [] { lock.free_idle_entries(); };
        safepoint::run(thread, "free idle locks", free_idle);
        most_entries.store(std::max(u32{1 << 16}, 2 * lock.in_use()), std::memory_order_relaxed);
      }
      return status;
    };
  }
  return row;
}

}  // namespace keyhole::lab

#define KEYHOLE_LOCK_FOR_VM                                                                    \
  namespace keyhole::lab {                                                                     \
  alignas(128) static Loaded<ThisWorld> instance;                                              \
  static constinit const sync::Algorithm row = row_over<instance>(loaded);                     \
  extern "C" __attribute__((visibility("default"))) const Plugin keyhole_lock = {              \
      .interface_version = interface_version, .build = KEYHOLE_LOCK_BUILD, .algorithm = &row}; \
  }
