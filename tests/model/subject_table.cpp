// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lightweight locking with the object monitor table under the model checker, over both generations of the table.
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_chained.h"
#include "runtime/sync/monitor/monitor_table_open.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};
using TableWorld = ToyJava<CheckedMachine, Settings>;

template <typename Table> struct PartsOf {
  using W = TableWorld;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::TableLockOf<W, Table> lock{list};
  PartsOf() {
    lock.initialize({.cache_size = 1, .fast_spins = 1});
    list.set_home(&lock);
  }
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};

using OpenParts = PartsOf<sync::OpenMonitorTableOf<TableWorld>>;
MODEL_SUBJECT("lightweight+table", "monitors in an open-addressed table keyed by identity hash", OpenParts);
using ChainedParts = PartsOf<sync::ChainedMonitorTableOf<TableWorld>>;
MODEL_SUBJECT("lightweight+table-a", "monitors in a chained table keyed by identity hash", ChainedParts);

}  // namespace
}  // namespace keyhole::model
