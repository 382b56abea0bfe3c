// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes flags, samples at polls, and ended countdowns to the policy.
#include "jit/code/policy.h"

#include "runtime/base/flags.h"
#include "runtime/base/platform/hardware_world.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::tiers {

Settings Settings::of_flags() {
  Settings settings;
  settings.uses_thresholds = flags::is_set("Tier4InvocationThreshold") || flags::is_set("Tier4BackEdgeThreshold");
  settings.samples = static_cast<u32>(flags::Tier4Samples);
  settings.payback_percent = static_cast<u32>(flags::Tier4PayBackPercent);
  if (settings.uses_thresholds) {
    settings.interval_calls = static_cast<i32>(flags::Tier4InvocationThreshold);
    settings.interval_back_edges = static_cast<i32>(flags::Tier4BackEdgeThreshold);
  }
  return settings;
}

void Policy::note_sample(JavaThread* thread) {
  Seen seen[3];
  usize count = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (activation.is_native()) continue;
    seen[count++] = {activation.method(), static_cast<u32>(activation.bci())};
    if (count == std::size(seen)) break;
  }
  note(thread, std::span<const Seen>(seen, count), hardware::now_nanoseconds());
}

void Policy::profiling_interval_ended(JavaThread* thread, Method* method) {
  countdown_ended(thread, method);
  if (flags::BackgroundCompilation) start_threads_if_needed(thread);
  else
    while (compile_next(thread)) {
    }
  replace_profiled_code(thread, method);
}

}  // namespace keyhole::tiers
