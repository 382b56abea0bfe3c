// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// States of a method on its way from baseline code to optimised code, and the transitions between them.
//
//             hot                  interval ends              compiled
//     Cold ────────> Profiling ─────────────────> Queued ─────────────> Compiled ──┐ hot in a loop without code of
//       │   hot, with a profile from before          ^  │ refused           │ ^    │ its own: Profiling, Queued, and
//       ├────────────────────────────────────────────┘  └───────> Refused   │ └────┘ back
//       └ <─ deferred, cancelled, given up, code retired ───────────────────┘
//         <─ compiled by the middle tier (policy_protocol.h P15)
#pragma once

#include <algorithm>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::tiers {

enum class TierState : u8 {
  Cold,       // the method has unprofiled baseline code, or code of the middle tier; it is sampled
  Profiling,  // the method has profiled baseline code (tier 3), while a profiling interval is open
  Queued,     // the method waits in the compile queue, or is being compiled
  Compiled,   // the method has optimised code (tier 4); its frames in other code are sampled
  Refused,    // the optimising tier cannot compile the method; it keeps its present code, and is not sampled
};

struct TierTransition {
  TierState from, to;
  std::string_view made_by, when;
};

inline constexpr TierTransition tier_transitions[] = {
    {TierState::Cold, TierState::Profiling, "sampled thread", "hot, without a profile; also what it calls most"},
    {TierState::Cold, TierState::Profiling, "compiling thread", "inlined in a hot method, without a profile"},
    {TierState::Cold, TierState::Profiling, "compiling baseline", "first compiled, where thresholds decide"},
    {TierState::Cold, TierState::Profiling, "sampled thread", "warm, without a profile, for the middle tier"},
    {TierState::Cold, TierState::Queued, "sampled thread", "hot, with a profile, and within its budget"},
    {TierState::Cold, TierState::Queued, "sampled thread", "warm, with a profile, for the middle tier"},
    {TierState::Cold, TierState::Queued, "compiling baseline", "first compiled, and compiled by an earlier run"},
    {TierState::Profiling, TierState::Queued, "countdown or sampler", "the interval ends, and the method is hot"},
    {TierState::Profiling, TierState::Cold, "countdown or sampler", "the interval ends, and it only waits for callees"},
    {TierState::Profiling, TierState::Cold, "thread that profiles", "no room for profiled code"},
    {TierState::Profiling, TierState::Refused, "thread that profiles", "baseline cannot compile it"},
    {TierState::Profiling, TierState::Compiled, "countdown or sampler", "the interval of a loop ends, or cannot begin"},
    {TierState::Queued, TierState::Compiled, "compiling thread", "installed; or done with a loop of a compiled method"},
    {TierState::Queued, TierState::Refused, "compiling thread", "refused"},
    {TierState::Queued, TierState::Cold, "compiling thread", "cancelled, over budget, or a callee has no profile"},
    {TierState::Queued, TierState::Cold, "compiling thread", "compiled or refused by the middle tier"},
    {TierState::Queued, TierState::Cold, "thread that queues", "given up by the full queue"},
    {TierState::Queued, TierState::Compiled, "thread that queues", "given up: a loop of a compiled method"},
    {TierState::Compiled, TierState::Profiling, "sampled thread", "hot in a loop that its profile has not seen"},
    {TierState::Compiled, TierState::Queued, "sampled thread", "hot in a loop without code of its own"},
    {TierState::Compiled, TierState::Cold, "thread that retires", "its optimised code has retired"},
};
// forget(): a method that dies or gets another body returns to Cold from every state, with the world stopped.

constexpr bool is_transition(TierState from, TierState to) {
  return std::ranges::any_of(tier_transitions,
                             [=](const TierTransition& one) { return one.from == from && one.to == to; });
}

}  // namespace keyhole::tiers
