// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack-locking under the model checker.
#include "runtime/sync/algorithms/legacy.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

struct LegacyParts {
  using W = ToyJava<CheckedMachine, Settings>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::LegacyOf<W> lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};
MODEL_SUBJECT("legacy", "displaced headers in lock records, INFLATING, monitors when contended", LegacyParts);

}  // namespace
}  // namespace keyhole::model
