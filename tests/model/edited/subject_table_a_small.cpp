// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The object monitor table of generation A under the model checker, with so few buckets that the second monitor doubles
// them. Compiled against the edited copy of monitor_table_chained.h that ../mutants.def describes as `small-table-a`.
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_chained.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

struct SmallChainedTableParts {
  using W = ToyJava<CheckedMachine, Settings>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::TableLockOf<W, sync::ChainedMonitorTableOf<W>> lock{list};
  SmallChainedTableParts() {
    lock.initialize({.cache_size = 1, .fast_spins = 1});
    list.set_home(&lock);
  }
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};
MODEL_SUBJECT("lightweight+table-a-small", "the chained table of 2 buckets, which the second monitor doubles",
              SmallChainedTableParts);

}  // namespace
}  // namespace keyhole::model
