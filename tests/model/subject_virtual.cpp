// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Locking by virtual threads under the model checker: they unmount when they block or wait, and two carriers mount them
// again (toy_virtual.h).
#include "runtime/sync/algorithms/cjm_by.h"
#include "runtime/sync/algorithms/cjm_fifo.h"
#include "runtime/sync/algorithms/hashchains.h"
#include "runtime/sync/algorithms/hashchains_plus3.h"
#include "runtime/sync/algorithms/legacy.h"
#include "runtime/sync/algorithms/lightweight.h"
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_open.h"
#include "tests/model/subject.h"
#include "tests/model/virtual_program.h"

namespace keyhole::model {
namespace {

struct Tag {
  static constexpr bool reuses_structures = false;
  static constexpr u32 empty_checks = 1;
};
using Machine = ToyVirtual<Tag>;
struct Settings : DefaultSettings {};
using World = ToyJava<Machine, Settings>;

constexpr ProgramMaker make = make_virtual_program<Machine>;

struct Parts {
  using W = World;
  [[maybe_unused]] static constexpr bool has_monitors = false;
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};

template <typename Protocol> struct OverMonitors : Parts {
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<World> list;
  Protocol lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<World>* monitors() { return &list; }
};
struct Table : OverMonitors<sync::TableLockOf<World, sync::OpenMonitorTableOf<World>>> {
  Table() {
    lock.initialize({.cache_size = 1, .fast_spins = 1});
    list.set_home(&lock);
  }
};

template <typename Protocol> struct WithElements : Parts {
  Protocol lock;
  auto& protocol() { return lock; }
  void thread_exits(World::Thread* thread) { lock.thread_exits(thread); }
  void drain() { lock.drain(); }
};
template <typename Protocol, sync::BucketLockKind kind> struct Chains : WithElements<Protocol> {
  Chains() { this->lock.initialize({.buckets = 1, .lock = kind, .spin_reads = 2}); }
};
template <typename Protocol, i64 patience_nanoseconds> struct Queues : WithElements<Protocol> {
  Queues() {
    this->lock.initialize({.spin_reads = 2,
                           .quantum = {.by_quantum = true,
                                       .quantum_nanoseconds = patience_nanoseconds / 4,
                                       .patience_nanoseconds = patience_nanoseconds,
                                       .busy_nanoseconds = 0,
                                       .probes_of_free_lock = 1,
                                       .retakes_of_heavily_contended_lock = 1,
                                       .timed_waits_per_quantum = 1,
                                       .probes_of_idle_lock = 1},
                           .inner_lock_in_tail = false});
  }
};

using Lightweight = OverMonitors<sync::LightweightOf<World>>;
using Legacy = OverMonitors<sync::LegacyOf<World>>;
using Hemlock = Chains<sync::HashChainsOf<World, false>, sync::BucketLockKind::Hemlock>;
using Plus3 = Chains<sync::HashChainsPlus3Of<World>, sync::BucketLockKind::Mutex>;
using Fifo = Queues<sync::CjmFifoOf<World>, 0>;
using By = Queues<sync::CjmByOf<World>, 1'000'000>;
MODEL_SUBJECT("virtual-lightweight", "lightweight, by virtual threads", Lightweight, make);
MODEL_SUBJECT("virtual-table", "lightweight+table, by virtual threads", Table, make);
MODEL_SUBJECT("virtual-legacy", "legacy, by virtual threads", Legacy, make);
MODEL_SUBJECT("virtual-hashchains", "hashchains under Hemlock, by virtual threads", Hemlock, make);
MODEL_SUBJECT("virtual-hashchains+3", "hashchains+3, by virtual threads", Plus3, make);
MODEL_SUBJECT("virtual-cjm-fifo", "cjm-fifo, by virtual threads", Fifo, make);
MODEL_SUBJECT("virtual-cjm-by", "cjm-by, by virtual threads", By, make);

}  // namespace
}  // namespace keyhole::model
