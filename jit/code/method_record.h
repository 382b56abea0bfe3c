// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tier policy knows of a method: a record that its lock guards. Rules: policy_protocol.h.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "jit/code/recent_samples.h"

namespace keyhole::tiers {

template <typename Method> struct MethodRecord {
  enum class State : u8 { Cold, Profiling, Queued, Compiled, Refused };
  struct Callee {
    Method* method;
    u32 samples;
  };
  static constexpr usize most_callees = 8;
  static constexpr i64 not_open = std::numeric_limits<i64>::max();   // P6

  State state = State::Cold;
  bool is_hot = false;         // Profiling: it goes to the queue afterwards
  bool is_profiled = false;    // a profiling interval of it has ended, and no code has retired since
  bool has_short_frames = false, has_no_calls = false;   // P10: in its latest interval
  bool is_outer = false;       // P5
  bool has_code = false;       // Profiling: for another loop of it (P9)
  bool has_waited = false;     // P14; no code has retired since
  bool has_retired_code = false;  // Queued, or Profiling for a loop: optimised code has retired since
  i64 interval_began = not_open;
  u32 samples = 0;             // since it was cold
  u32 samples_on_top = 0;      // of these
  u64 first_sample = 0;        // of these, its number
  i64 cost = 0;               // 0: unknown (P11)
  u32 number = 0;              // of the latest request for it (P7)
  RecentSamples recent;
  std::vector<Callee> callees;
  std::vector<i32> loops;      // that were requested since it was cold (P9)

  void note_call(Method* callee) {
    auto known = std::ranges::find(callees, callee, &Callee::method);
    if (known == callees.end() && callees.size() < most_callees) known = callees.insert(known, {callee, 0});
    if (known == callees.end()) {   // one of before its newest code
      known = std::ranges::find(callees, 0u, &Callee::samples);
      if (known != callees.end()) known->method = callee;
    }
    if (known != callees.end()) ++known->samples;
  }

  void reset(State now) {
    state = now;
    samples = samples_on_top = 0;
    cost = 0;
    has_code = has_retired_code = false;
    for (Callee& callee : callees) callee.samples = 0;
    recent.clear();
    if (state == State::Cold) loops.clear();
  }
};

}  // namespace keyhole::tiers
