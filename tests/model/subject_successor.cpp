// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HotSpot's experiments with the successor hint (monitor_settings.h) under the model checker. The table of variants
// says which of them are expected to strand threads.
#include "runtime/sync/algorithms/monitor_lock.h"

#include <utility>

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

constexpr auto& variants = sync::successor_variants;

// Two rounds of spinning, so that events between two rounds are explored.
template <usize number> struct SettingsOf : DefaultSettings {
  using MonitorPolicy =
      sync::FixedPolicy<sync::MonitorSettings{.spin_pauses = 65, .successor = variants[number].rules}>;
};

template <usize number> struct PartsOf {
  using W = ToyJava<CheckedMachine, SettingsOf<number>>;
  static constexpr bool has_monitors = true;
  sync::MonitorListOf<W> list;
  sync::MonitorLockOf<W> lock{list};
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return &list; }
  void thread_exits(typename W::Thread*) {}
  void drain() {}
};

template <usize... numbers> void register_all(std::index_sequence<numbers...>) {
  (subjects().push_back({.name = variants[numbers].name,
                         .what = variants[numbers].sentence,
                         .make = make_lock<PartsOf<numbers>>,
                         .is_mutant = false,
                         .is_successor_variant = true,
                         .strands = variants[numbers].strands}),
   ...);
}
[[maybe_unused]] const bool registered = (register_all(std::make_index_sequence<std::size(variants)>()), true);

}  // namespace
}  // namespace keyhole::model
