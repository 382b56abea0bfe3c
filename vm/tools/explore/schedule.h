// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A Schedule requests one execution: a script, or a policy with its seed. Every execution has a script
// that stands for it: the choices in which it deviates from the default policy (runtime/base/controlled/execution.h).
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
  u64 focus = 0;                 // of Policy::weighted, as are weights and parents
  bool is_reduced = false;       // of Policy::script: `sleepers` do not go on after the last step (dpor.h)
  std::vector<controlled::Sleeper> sleepers = {};
  std::vector<u32> weights = {};
  std::vector<u8> parents = {};
};

inline std::vector<Step> script_of(const Execution& execution) {
  std::vector<Step> steps;
  for (u32 i = 0; i < execution.event_count; ++i) {
    if (execution.events[i].deviates) steps.push_back({i, execution.events[i].strand});
  }
  return steps;
}

// Whether it is a preemption to choose this strand at the event. It is if the running strand could go on, and this is
// another one. If the running strand has had its share (runtime/base/controlled/strands.h S6) or yields, it is expected
// to give way: then it is a preemption to go on with it.
inline bool is_preemption(const Event& event, u32 strand) {
  if (!event.is_choice || (event.enabled & controlled::bit_of(event.before)) == 0) return false;
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
    if (i > execution.root_events && event.strand != execution.events[i - 1].strand) ++counts.switches;
  }
  return counts;
}

}  // namespace keyhole::explore
