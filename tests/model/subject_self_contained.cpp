// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocols of runtime/sync/self_contained.h under the model checker.
#include "runtime/sync/self_contained.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

template <template <typename> class Protocol> struct SelfContainedParts : NoMonitors {
  using W = ToyJava<CheckedMachine, Settings>;
  Protocol<W> lock;
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(W::Thread*) {}
  void drain() {}
};

#define SUBJECT(name, Protocol) \
  register_subject<SelfContainedParts<sync::Protocol>, is_compiled(name)>(name, "made without settings"),
[[maybe_unused]] const bool registered[] = {SELF_CONTAINED_PROTOCOLS(SUBJECT)};
#undef SUBJECT

}  // namespace
}  // namespace keyhole::model
