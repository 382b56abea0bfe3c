// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of lightweight locking with the object monitor table, one for each generation.
#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_chained.h"
#include "runtime/sync/monitor/monitor_table_open.h"
#include "runtime/sync/monitors.h"

namespace keyhole::sync {

using OpenTableLock = TableLockOf<SyncWorld, OpenMonitorTableOf<SyncWorld>, LimitedLockStack>;
using ChainedTableLock = TableLockOf<SyncWorld, ChainedMonitorTableOf<SyncWorld>, LimitedLockStack>;
static_assert(LockProtocol<OpenTableLock, SyncWorld> && LockProtocol<ChainedTableLock, SyncWorld>);

// Holds a protocol that is never destroyed, because threads may still use it when the VM ends.
template <typename Protocol> union Immortal {
  Immortal() { new (&value) Protocol(monitors); }
  ~Immortal() {}
  Protocol value;
};
static Immortal<OpenTableLock> open_table;
static Immortal<ChainedTableLock> chained_table;
static OpenTableLock& lightweight_table = open_table.value;
static ChainedTableLock& lightweight_table_a = chained_table.value;

template <auto& protocol> static std::string initialize_table() {
  LimitedLockStack::entries = static_cast<u32>(flags::LockStackCapacity);
  LimitedLockStack::recursive = flags::RecursiveLightweightLocking;
  protocol.initialize({.cache_size = static_cast<u32>(flags::OMCacheSize),
                       .fast_spins = static_cast<u32>(flags::LightweightFastLockingSpins)});
  monitors.set_home(&protocol);
  return initialize_monitors();
}

static const FastPathRow* table_snippet() {
  bool whole = LimitedLockStack::entries == JavaThread::lock_stack_capacity && LimitedLockStack::recursive;
  return whole ? &fast_path_rows::monitor_table : &fast_path_rows::monitor_table_limited;
}

static constexpr AlgorithmProperties properties_with(u32 bytes_in_table) {
  return {
      .header_bits = 2,
      .idle_bytes = 0,
      .held_bytes = 8,
      .contended_bytes = static_cast<u32>(sizeof(ObjectMonitor)) + bytes_in_table,
      .fairness = "competitive, FIFO wake-up",
      .recursion = "adjacent on the lock stack, else in the monitor",
      .displacing = "",
      .traces = {.alone = "", .contended = "SKIT", .hashed = ""},
  };
}

template <auto& protocol>
static constexpr Algorithm table_row(std::string_view name, std::string_view idea, u32 bytes_in_table) {
  Algorithm row = algorithm_over<protocol>(name, -1, idea, properties_with(bytes_in_table),
                                           &fast_path_rows::monitor_table, initialize_table<protocol>, table_snippet);
  row.lock_identity = [](Object* object) -> const void* {
    const ObjectMonitor* monitor = protocol.inflated_monitor_of(object);
    return monitor != nullptr ? static_cast<const void*>(monitor) : object;
  };
  return row;
}

extern const Algorithm lightweight_table_algorithm;
constinit const Algorithm lightweight_table_algorithm = table_row<lightweight_table>(
    "lightweight+table",
    "lightweight; monitors hang in a table keyed by identity hash (an array, probed), so headers keep hash and age",
    8 * OpenMonitorTableOf<SyncWorld>::slots_per_entry);

extern const Algorithm lightweight_table_a_algorithm;
constinit const Algorithm lightweight_table_a_algorithm = table_row<lightweight_table_a>(
    "lightweight+table-a", "lightweight+table with the first generation of the table: chained, split in place",
    32 + 11);

}  // namespace keyhole::sync
