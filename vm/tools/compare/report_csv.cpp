// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes CSV for spreadsheets and plotting libraries, with a row for each run.
#include <fmt/format.h>

#include "vm/tools/compare/report.h"

namespace keyhole::compare {

std::string report_as_csv(const Comparison& comparison) {
  std::string text = "mode,variant,run,wall_ms,cpu_ms";
  for (u32 i = 0; i < lock_counter_count; ++i) text += fmt::format(",{}", lock_counter_names[i]);
  text += "\n";
  auto add = [&](const ModeFigures& mode) {
    for (usize i = 0; i < mode.runs.size(); ++i) {
      const Run& run = mode.runs[i];
      text += fmt::format("{},{},{},{:.3f},{:.3f}", mode.mode, mode.variant, i + 1, run.wall_ms, run.cpu_ms);
      for (u64 count : run.statistics.counters) text += fmt::format(",{}", count);
      text += "\n";
    }
  };
  for (const ModeFigures& mode : comparison.modes) add(mode);
  if (comparison.hotspot) add(*comparison.hotspot);
  return text;
}

}  // namespace keyhole::compare
