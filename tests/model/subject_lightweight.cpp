// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lightweight locking under the model checker.
#include "runtime/sync/algorithms/lightweight.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

struct LightweightParts {
  using W = ToyJava<CheckedMachine, Settings>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::LightweightOf<W> lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};
MODEL_SUBJECT("lightweight", "CAS of the header's low bits, lock stacks, monitors when contended", LightweightParts);

}  // namespace
}  // namespace keyhole::model
