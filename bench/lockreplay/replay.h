// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays a lock load on the simulated machine.
#pragma once

#include <array>
#include <string_view>

#include "runtime/threads/lock_counters.h"
#include "vm/tools/compare/lock_load.h"

namespace keyhole::lockreplay {

struct Replay {
  enum class End : u8 { done, stuck, unknown };  // unknown: the simulator does not implement the algorithm
  End end = End::unknown;
  i64 nanoseconds = 0;  // simulated nanoseconds from the first step to the last
  std::array<u64, lock_counter_count> counters{};
};

Replay replay(std::string_view algorithm, u32 cpus, const compare::LockLoad& load);

}  // namespace keyhole::lockreplay
