// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates instances of the algorithms of runtime/sync/algorithms.def on the simulated machine, by their names. An
//algorithm spins for cost_model::patience_reads before it parks, unless -XX:SpinPauses says otherwise.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/simulated_java.h"
#include "runtime/base/flags.h"
#include "runtime/sync/algorithms/cjm_by.h"
#include "runtime/sync/algorithms/cjm_fifo.h"
#include "runtime/sync/algorithms/cjm_hybrid.h"
#include "runtime/sync/algorithms/hashchains.h"
#include "runtime/sync/algorithms/hashchains_plus3.h"
#include "runtime/sync/algorithms/legacy.h"
#include "runtime/sync/algorithms/lightweight.h"
#include "runtime/sync/algorithms/monitor_lock.h"
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_chained.h"
#include "runtime/sync/monitor/monitor_table_open.h"
#include "runtime/sync/self_contained.h"

namespace keyhole::mutexbench {

// Quanta are shorter than in the VM, because a run lasts only some milliseconds and must contain enough of them. The
// simulated machine has no kernel that extends quanta to a timer tick.
inline constexpr i64 quantum_nanoseconds = 250'000;

inline u32 simulated_spin_reads() {
  return flags::SpinPauses >= 0 ? static_cast<u32>(flags::SpinPauses) : cost_model::patience_reads;
}

template <typename Body> class SimulatedRows {
 public:
  using W = SimulatedJavaWorld;
  struct Row {
    std::string_view name;
    void (*run)(Body& body);
  };

 private:
  // Aligns instances to cache lines, independently of the stack's address.
  template <template <typename> class Protocol> static void over_monitors(Body& body) {
    alignas(128) sync::MonitorListOf<W> monitors;
    alignas(128) Protocol<W> protocol(monitors);
    body(protocol);
  }
  template <template <typename> class Table> static void over_table(Body& body) {
    alignas(128) sync::MonitorListOf<W> monitors;
    alignas(128) sync::TableLockOf<W, Table<W>> protocol(monitors);
    protocol.initialize({.cache_size = static_cast<u32>(flags::OMCacheSize),
                         .fast_spins = static_cast<u32>(flags::LightweightFastLockingSpins)});
    monitors.set_home(&protocol);
    body(protocol);
  }
  template <typename Protocol> static void as_it_is(Body& body) {
    alignas(128) Protocol protocol;
    body(protocol);
  }
  template <typename Protocol> static void over_chains(Body& body) {
    alignas(128) Protocol protocol;
    sync::ChainSettings settings;
    settings.buckets = static_cast<u32>(flags::HashChainsBuckets);
    settings.spin_reads = simulated_spin_reads();
    protocol.initialize(settings);
    body(protocol);
  }
  template <template <typename> class Protocol> static void over_queues(Body& body) {
    alignas(128) Protocol<W> protocol;
    protocol.initialize({.spin_reads = simulated_spin_reads(),
                         .quantum = {.quantum_nanoseconds = quantum_nanoseconds,
                                     .patience_nanoseconds = flags::ImpatienceMicros * 1000},
                         .inner_lock_in_tail = flags::CjmHybridInnerLock == "tail"});
    body(protocol);
  }
  template <typename X> using Lightweight = sync::LightweightOf<X>;

 public:
  static constexpr Row all[] = {{"monitor", over_monitors<sync::MonitorLockOf>},
                                {"legacy", over_monitors<sync::LegacyOf>},
                                {"lightweight", over_monitors<Lightweight>},
                                {"lightweight+table", over_table<sync::OpenMonitorTableOf>},
                                {"lightweight+table-a", over_table<sync::ChainedMonitorTableOf>},
                                {"hashchains", over_chains<sync::HashChainsOf<W, false>>},
                                {"hashchains-fp", over_chains<sync::HashChainsOf<W, true>>},
                                {"hashchains+3", over_chains<sync::HashChainsPlus3Of<W>>},
                                {"cjm-fifo", over_queues<sync::CjmFifoOf>},
                                {"cjm-by", over_queues<sync::CjmByOf>},
                                {"cjm-hybrid", over_queues<sync::CjmHybridOf>},
#define SELF_CONTAINED(name, Protocol) {name, as_it_is<sync::Protocol<W>>},
                                SELF_CONTAINED_PROTOCOLS(SELF_CONTAINED)
#undef SELF_CONTAINED
  };
};

// Calls body(protocol) with a new instance of the algorithm of this name. Returns false if no simulated algorithm has
// this name.
template <typename Body> bool with_simulated_row(std::string_view name, Body body) {
  for (const auto& row : SimulatedRows<Body>::all) {
    if (row.name != name) continue;
    row.run(body);
    return true;
  }
  return false;
}

inline std::vector<std::string_view> simulated_row_names() {
  auto nothing = [](auto&) {};
  std::vector<std::string_view> names;
  for (const auto& row : SimulatedRows<decltype(nothing)>::all) names.push_back(row.name);
  return names;
}

}  // namespace keyhole::mutexbench
