// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A mutex per object under the model checker.
#include "runtime/sync/pthread_lock.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

struct PthreadParts : NoMonitors {
  using W = ToyJava<CheckedMachine, Settings>;
  sync::PthreadLockOf<W> lock;
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};
MODEL_SUBJECT("pthread", "a mutex per object in a side table", PthreadParts);

}  // namespace
}  // namespace keyhole::model
