// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes medians over runs.
#include "vm/tools/compare/figures.h"

#include "vm/tools/compare/significance.h"

namespace keyhole::compare {

std::vector<f64> ModeFigures::wall() const {
  std::vector<f64> values;
  for (const Run& run : runs) values.push_back(run.wall_ms);
  return values;
}

std::vector<f64> ModeFigures::cpu() const {
  std::vector<f64> values;
  for (const Run& run : runs) values.push_back(run.cpu_ms);
  return values;
}

LockStatistics ModeFigures::statistics() const {
  auto middle = [&](auto value) {
    std::vector<f64> values;
    for (const Run& run : runs) values.push_back(static_cast<f64>(value(run.statistics)));
    return static_cast<u64>(median(std::move(values)));
  };
  LockStatistics all;
  for (u32 i = 0; i < lock_counter_count; ++i)
    all.counters[i] = middle([&](const auto& one) { return one.counters[i]; });
  all.monitor_bytes = middle([](const auto& one) { return one.monitor_bytes; });
  all.element_bytes = middle([](const auto& one) { return one.element_bytes; });
  return all;
}

const ModeFigures* Comparison::find(std::string_view mode) const {
  for (const ModeFigures& each : modes) {
    if (each.mode == mode && each.variant.empty()) return &each;
  }
  return nullptr;
}

}  // namespace keyhole::compare
