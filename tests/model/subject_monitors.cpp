// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Monitors under the model checker: each value of Succession, restricted concurrency, quanta, changes between regimes,
// and adaptive spinning. subject_successor.cpp has the variants of the successor hint.
#include "runtime/sync/algorithms/monitor_lock.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

template <sync::MonitorSettings chosen> struct SettingsOf : DefaultSettings {
  using MonitorPolicy = sync::FixedPolicy<chosen>;
};

template <sync::MonitorSettings chosen> struct MonitorParts {
  using W = ToyJava<CheckedMachine, SettingsOf<chosen>>;
  static constexpr bool has_monitors = true, sets_aside = chosen.restrict_concurrency;
  sync::MonitorListOf<W> list;
  sync::MonitorLockOf<W> lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(typename W::Thread*) {}
  void drain() {}
};

// A thread probes the lock once before it parks, because more probes would only repeat the same steps.
constexpr sync::MonitorSettings settings(sync::Succession succession, bool restricted,
                                         i64 culled_patience_nanoseconds = 1000, u64 wakes_per_promotion = 1000) {
  return {.succession = succession,
          .restrict_concurrency = restricted,
          .spin_pauses = 1,
          .patience_nanoseconds = 1000,
          .culled_patience_nanoseconds = culled_patience_nanoseconds,
          .wakes_per_promotion = wakes_per_promotion,
          .successor = {}};
}
using Competitive = MonitorParts<settings(sync::Succession::competitive, false)>;
MODEL_SUBJECT("monitor", "every enter through a monitor", Competitive);
using Direct = MonitorParts<settings(sync::Succession::direct, false)>;
MODEL_SUBJECT("monitor-direct", "monitors, Succession=direct", Direct);
using Bypass = MonitorParts<settings(sync::Succession::bypass, false)>;
MODEL_SUBJECT("monitor-bypass", "monitors, Succession=bypass", Bypass);
using Restricted = MonitorParts<settings(sync::Succession::competitive, true)>;
MODEL_SUBJECT("monitor-restricted", "monitors, RestrictConcurrency", Restricted);
// With this patience no culled thread ever becomes starving. If each wake-up promotes the oldest waiter, every
// successor is the oldest waiter. If no wake-up does, no successor is.
constexpr i64 long_after_the_end = i64{1} << 60;
using Promoting = MonitorParts<settings(sync::Succession::competitive, true, long_after_the_end, 1)>;
MODEL_SUBJECT("monitor-restricted-promoting", "monitors, RestrictConcurrency, each successor is the oldest", Promoting);
using Culled = MonitorParts<settings(sync::Succession::competitive, true, long_after_the_end, ~u64{0})>;
MODEL_SUBJECT("monitor-restricted-patient", "monitors, RestrictConcurrency, no successor is the oldest", Culled);
using RestrictedBypass = MonitorParts<settings(sync::Succession::bypass, true)>;
MODEL_SUBJECT("monitor-restricted-bypass", "monitors, RestrictConcurrency and Succession=bypass", RestrictedBypass);
// Settings for monitors with a time quantum. If another thread takes the monitor before the successor does, the
// successor treats the monitor as heavily contended. The oldest waiter is starving after the given time.
constexpr sync::MonitorSettings by_quantum(i64 patience_nanoseconds, u32 timed_waits_per_quantum = 1,
                                           u32 collisions_measured = sync::QuantumSettings{}.collisions_measured) {
  return {.succession = sync::Succession::quantum,
          .spin_pauses = 1,
          .successor = {},
          .quantum = {.quantum_nanoseconds = patience_nanoseconds / 4,
                      .patience_nanoseconds = patience_nanoseconds,
                      .probes_of_free_lock = 1,
                      .retakes_of_heavily_contended_lock = 1,
                      .timed_waits_per_quantum = timed_waits_per_quantum,
                      .probes_of_idle_lock = 1,
                      .probes_of_held_lock = 1,
                      .collisions_measured = collisions_measured,
                      .collision_nanoseconds = i64{1} << 40,
                      .collisions_to_a_watched_one = 1,
                      .holders_back = 0,
                      .quanta_until_reset = 2,
                      .idle_times_until_reset = 1}};
}
using Quantum = MonitorParts<by_quantum(1'000'000)>;
MODEL_SUBJECT("monitor-quantum", "monitors, MonitorTurns", Quantum);
using QuantumInWaits = MonitorParts<by_quantum(1'000'000, 2)>;
MODEL_SUBJECT("monitor-quantum-waits", "the same with two timed waits to a quantum", QuantumInWaits);
using QuantumHeavilyContended = MonitorParts<by_quantum(1'000'000, 1, 1)>;
MODEL_SUBJECT("monitor-quantum-contended", "the same where one collision is heavy contention for all",
              QuantumHeavilyContended);
using QuantumStarving = MonitorParts<by_quantum(0)>;
MODEL_SUBJECT("monitor-quantum-starving", "the same with a successor who never lets anybody pass", QuantumStarving);
using Choice = sync::RegimeSettings::Choice;
constexpr sync::MonitorSettings adaptive(Choice choice, i64 patience_nanoseconds) {
  sync::MonitorSettings settings = by_quantum(patience_nanoseconds);
  settings.succession = sync::Succession::adaptive;
  settings.regimes.choice = choice;
  return settings;
}
using Regimes = MonitorParts<adaptive(Choice::Alternating, 1'000'000)>;
MODEL_SUBJECT("monitor-regimes", "monitors, Succession=adaptive, the regime changes at each contended operation",
              Regimes);
using RegimesMixed = MonitorParts<adaptive(Choice::ByThread, 0)>;
MODEL_SUBJECT("monitor-regimes-mixed", "every other thread competes; the others hand over at each exit", RegimesMixed);
using Adaptive = MonitorParts<sync::MonitorSettings{}>;
MODEL_SUBJECT("monitor-adaptive", "monitors, spinning as long as it pays", Adaptive);

}  // namespace
}  // namespace keyhole::model
