// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The object monitor table under the model checker, with arrays so small that the second monitor makes it grow.
// Compiled against the edited copy of monitor_table_open.h that ../mutants.def describes as `small-table`.
#include "runtime/sync/algorithms/monitor_table_protocol.h"
#include "runtime/sync/monitor/monitor_table_open.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

struct SmallTableParts {
  using W = ToyJava<CheckedMachine, Settings>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::TableLockOf<W, sync::OpenMonitorTableOf<W>> lock{list};
  SmallTableParts() {
    lock.initialize({.cache_size = 1, .fast_spins = 1});
    list.set_home(&lock);
  }
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};
MODEL_SUBJECT("lightweight+table-small", "the table of 8 slots, which the second monitor makes grow", SmallTableParts);

}  // namespace
}  // namespace keyhole::model
