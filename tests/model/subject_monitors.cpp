// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Monitors only under the model checker: with each succession, with restricted concurrency, and with adaptive spinning. The variants of the
// successor hint: subject_successor.cpp.
#include "runtime/sync/monitor_lock.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

template <sync::MonitorSettings chosen> struct SettingsOf : DefaultSettings {
  using MonitorPolicy = sync::FixedPolicy<chosen>;
};

template <sync::MonitorSettings chosen> struct MonitorParts {
  using W = ToyJava<CheckedMachine, SettingsOf<chosen>>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::MonitorLockOf<W> lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(typename W::Thread*) {}
  void drain() {}
};

// One look before parking: more looks are the same steps again.
constexpr sync::MonitorSettings settings(sync::Succession succession, bool restricted) {
  return {.succession = succession, .restrict_concurrency = restricted, .spin_pauses = 1, .impatience_nanoseconds = 1000, .set_aside_nanoseconds = 1000, .successor = {}};
}
using Competitive = MonitorParts<settings(sync::Succession::competitive, false)>;
MODEL_SUBJECT("monitor", "every enter through a monitor", Competitive);
using Direct = MonitorParts<settings(sync::Succession::direct, false)>;
MODEL_SUBJECT("monitor-direct", "monitors, Succession=direct", Direct);
using Bypass = MonitorParts<settings(sync::Succession::bypass, false)>;
MODEL_SUBJECT("monitor-bypass", "monitors, Succession=bypass", Bypass);
using Restricted = MonitorParts<settings(sync::Succession::competitive, true)>;
MODEL_SUBJECT("monitor-restricted", "monitors, RestrictConcurrency", Restricted);
using RestrictedBypass = MonitorParts<settings(sync::Succession::bypass, true)>;
MODEL_SUBJECT("monitor-restricted-bypass", "monitors, RestrictConcurrency and Succession=bypass", RestrictedBypass);
using Adaptive = MonitorParts<sync::MonitorSettings{}>;
MODEL_SUBJECT("monitor-adaptive", "monitors, spinning as long as it pays", Adaptive);

}  // namespace
}  // namespace keyhole::model
