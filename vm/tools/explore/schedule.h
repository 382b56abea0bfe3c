// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A Schedule describes one execution to run: by a script, or by a random policy with its seed. Every execution can be
// replayed by a script: the list of choices in which it deviates from the default policy
// (runtime/base/controlled/execution.h).
#pragma once

#include <vector>

#include "runtime/base/controlled/execution.h"

namespace keyhole::explore {

using controlled::Event;
using controlled::Execution;
using controlled::Outcome;
using controlled::Policy;
using controlled::Step;

struct Schedule {
  Policy policy = Policy::script;
  u64 seed = 0;
  u32 depth = 0, length = 0;     // of Policy::priority
  std::vector<Step> steps = {};  // of Policy::script
  u64 focus = 0;                 // Policy::weighted uses `focus`, `weights` and `parents`
  // used by Policy::script: after the script's last step, the strands in `sleepers` do not run (dpor.h)
  bool is_reduced = false;
  std::vector<controlled::Sleeper> sleepers = {};
  std::vector<u32> weights = {};
  std::vector<u8> parents = {};
};

inline std::vector<Step> script_of(const Execution& execution) {
  std::vector<Step> steps;
  for (u32 i = 0; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    if (event.deviates) steps.push_back({i, event.strand});
    if (event.older != 0) steps.push_back({i, event.strand, event.older});
  }
  return steps;
}

// Returns whether choosing this strand at the event is a preemption. Normally, it is one if the running strand could
// continue and another strand is chosen. If the running strand has used up its share (runtime/base/controlled/strands.h
// S6) or yields, then choosing the running strand again counts as a preemption, and choosing another one does not. A
// fresh store (runtime/base/controlled/store_buffers.h B4) is expected to be flushed, so all other choices count.
inline bool is_preemption(const Event& event, u32 strand) {
  if (!event.is_choice) return false;
  if (event.is_fresh) return strand != controlled::buffer_of(event.before);
  if (!controlled::contains(event.enabled, event.before)) return false;
  return (strand == event.before) == static_cast<bool>(event.is_free);
}

struct Counts {
  u32 preemptions = 0, switches = 0;
};
inline Counts counts_of(const Execution& execution) {
  Counts counts;
  for (u32 i = execution.root_events; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    if (is_preemption(event, event.strand)) ++counts.preemptions;
    if (event.older != 0) ++counts.preemptions;  // search.h B5
    auto thread = [&](const Event& of) { return controlled::thread_of(execution, of.strand); };
    if (i > execution.root_events && thread(event) != thread(execution.events[i - 1])) ++counts.switches;
  }
  return counts;
}

}  // namespace keyhole::explore
