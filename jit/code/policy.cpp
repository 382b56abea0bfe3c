// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects the policy to the VM: passes it the flags, the samples taken at polls, and the ends of countdowns.
#include "jit/code/policy.h"

#include "runtime/base/flags.h"
#include "runtime/base/platform/hardware_world.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::tiers {

Settings Settings::of_flags() {
  Settings settings;
  settings.uses_thresholds = flags::is_set("Tier4InvocationThreshold") || flags::is_set("Tier4BackEdgeThreshold");
  settings.samples = static_cast<u32>(flags::Tier4Samples);
  settings.level = highest_level();
  settings.has_middle_tier = tiers::has_middle_tier();
  settings.middle_samples = static_cast<u32>(flags::Tier2Samples);
  settings.payback_percent = static_cast<u32>(flags::Tier4PayBackPercent);
  if (settings.uses_thresholds) {
    settings.interval_calls = static_cast<i32>(flags::Tier4InvocationThreshold);
    settings.interval_back_edges = static_cast<i32>(flags::Tier4BackEdgeThreshold);
  }
  return settings;
}

// With -XX:TieredStopAtLevel=0 or 1, methods are queued only under -XX:+SampleHotMethods, for the optimising tier's
// level.
u8 highest_level() {
  bool is_middle = flags::TieredStopAtLevel == middle_level || flags::TieredStopAtLevel == middle_level + 1;
  return is_middle ? middle_level : optimised_level;
}
bool has_middle_tier() {
  bool uses_thresholds = flags::is_set("Tier4InvocationThreshold") || flags::is_set("Tier4BackEdgeThreshold");
  return flags::MiddleTier && flags::TieredStopAtLevel == optimised_level && !uses_thresholds;
}

void Policy::note_sample(JavaThread* thread) { note_frames(thread, nullptr); }
void Policy::note_sample_at_entry(JavaThread* thread, Method* method) {
  // If the middle tier is the highest tier, no tier can replace its code by better code, so the sample is dropped.
  if (highest_level() != middle_level) note_frames(thread, method);
}
void Policy::note_sample_in_code(JavaThread* thread, Method* method, u32 bci) {
  Seen seen{method, bci};
  note(thread, {&seen, 1}, hardware::now_nanoseconds());
}

void Policy::note_frames(JavaThread* thread, Method* entered) {
  Seen seen[3];
  usize count = 0;
  if (entered != nullptr) seen[count++] = {entered, 0};
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
