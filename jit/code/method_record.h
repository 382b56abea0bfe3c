// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MethodRecord: state, samples and profile of one method, as the tier policy knows them. Guarded by the policy's lock.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "jit/code/recent_samples.h"
#include "jit/code/tier_states.h"
#include "runtime/base/check.h"

namespace keyhole::tiers {

template <typename Method> struct MethodRecord {
  struct Callee {
    Method* method;
    u32 samples;
  };
  static constexpr usize most_callees = 8;
  static constexpr i64 not_open = std::numeric_limits<i64>::max();  // profiling_intervals.h P6

  TierState state = TierState::Cold;
  bool is_hot = false;       // Profiling: the method goes to the queue when its interval ends
  bool is_profiled = false;  // an interval of the method has ended, and none of its code has retired since
  // Whether its latest interval counted calls, and whether it counted none (compile_requests.h P10).
  bool has_short_frames = false, has_no_calls = false;
  // the method only waits for methods that it calls (profiling_intervals.h P5)
  bool is_outer = false;
  // in state Profiling: its interval is for another loop of a compiled method (compile_requests.h P9)
  bool is_for_loop = false;
  // it has waited for an unprofiled callee (policy_protocol.h P14), and no code of it has retired since
  bool has_waited = false;
  // in state Queued, or in state Profiling for a loop: its optimised code has retired since it came into that state
  bool has_retired_code = false;
  // the middle tier has compiled it, or has refused it, and none of its code has retired since (policy_protocol.h P15)
  bool is_middle_done = false;
  bool is_for_middle = false;  // Profiling, Queued: to be compiled by the middle tier
  i64 interval_began = not_open;
  u32 samples = 0;         // samples since the method was last Cold
  u32 samples_on_top = 0;  // samples in which the method's frame was the innermost one
  u64 first_sample = 0;    // number of the first of these samples, among all samples of the policy
  i64 cost = 0;            // expected compile cost in nanoseconds; 0: unknown (compile_budget.h P11)
  u32 number = 0;          // number of its latest request (compile_requests.h P7)
  RecentSamples recent;
  std::vector<Callee> callees;
  std::vector<i32> loops;  // loops that were requested since the method was last Cold, by the bci of their headers

  void change(TierState to) {
    KEYHOLE_ASSERT(is_transition(state, to), "from state {} to {}", static_cast<u32>(state), static_cast<u32>(to));
    state = to;
  }

  void note_call(Method* callee) {
    auto known = std::ranges::find(callees, callee, &Callee::method);
    if (known == callees.end() && callees.size() < most_callees) known = callees.insert(known, {callee, 0});
    if (known == callees.end()) {  // the new callee replaces one without samples since the last reset
      known = std::ranges::find(callees, 0u, &Callee::samples);
      if (known != callees.end()) known->method = callee;
    }
    if (known != callees.end()) ++known->samples;
  }

  // Begins again after a request has ended, or optimised code has retired: with no samples, and an unknown cost.
  void reset(TierState to) {
    change(to);
    samples = samples_on_top = 0;
    cost = 0;
    is_for_loop = is_for_middle = has_retired_code = false;
    for (Callee& callee : callees) callee.samples = 0;
    recent.clear();
    if (state == TierState::Cold) loops.clear();
  }
};

}  // namespace keyhole::tiers
