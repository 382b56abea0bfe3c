// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MethodRecord: state, samples and callees of one method, as known to the tier policy. Guarded by the policy's lock.
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
  bool is_hot = false;       // in state Profiling: whether the method is queued when its interval ends
  bool is_profiled = false;  // whether a profiling interval has ended, and no code of the method has retired since
  // has_short_frames: whether the latest profiling interval counted at least two calls of the method. has_no_calls:
  // whether it counted none (compile_requests.h P10).
  bool has_short_frames = false, has_no_calls = false;
  // whether the method itself is not hot, but only its callees are (profiling_intervals.h P5)
  bool is_outer = false;
  // in state Profiling: whether the method has optimised code already, and is profiled for a loop that this code cannot
  // enter (compile_requests.h P9)
  bool is_for_loop = false;
  // whether a compilation has waited for unprofiled callees (policy_protocol.h P14), and no code of the method has
  // retired since
  bool has_waited = false;
  // Whether code of the method has retired since the method was queued, or since its profiling for a loop (is_for_loop)
  // began. If it has, a request with is_loop_alone ends in state Cold instead of Compiled, and profiling for a loop
  // does not end in state Compiled.
  bool has_retired_code = false;
  // whether the middle tier has compiled or refused the method, and no code of the method has retired since
  // (policy_protocol.h P15)
  bool is_middle_done = false;
  bool is_for_middle = false;  // in state Profiling or Queued: whether the middle tier will compile the method
  i64 interval_began = not_open;
  u32 samples = 0;         // the number of samples of the method since it was last Cold
  u32 samples_on_top = 0;  // the number of samples in which the method's frame was the innermost one
  u64 first_sample = 0;    // the number of the method's first sample; samples of all methods are numbered together
  i64 cost = 0;            // the expected compile cost in nanoseconds; 0: unknown (compile_budget.h P11)
  u32 number = 0;          // the number of the method's latest request (compile_requests.h P7)
  RecentSamples recent;
  std::vector<Callee> callees;
  std::vector<i32> loops;  // the bcis of the headers of the loops requested since the method was last Cold

  void change(TierState to) {
    KEYHOLE_ASSERT(is_transition(state, to), "from state {} to {}", static_cast<u32>(state), static_cast<u32>(to));
    state = to;
  }

  void note_call(Method* callee) {
    auto known = std::ranges::find(callees, callee, &Callee::method);
    if (known == callees.end() && callees.size() < most_callees) known = callees.insert(known, {callee, 0});
    if (known ==
        callees.end()) {  // `callees` is full: the new callee replaces one without samples since the last reset.
      known = std::ranges::find(callees, 0u, &Callee::samples);
      if (known != callees.end()) known->method = callee;
    }
    if (known != callees.end()) ++known->samples;
  }

  // Resets the record after a request has ended or optimised code has retired. Afterwards the record has no samples,
  // and the method's cost is unknown.
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
