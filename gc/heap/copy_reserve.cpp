// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the budget, and whether the reserve suffices.
#include "gc/heap/copy_reserve.h"

#include <algorithm>

namespace keyhole::gc {

AllocationBudget CopyReserve::budget(u32 used, u32 maximum, u64 region_bytes) const {
  constexpr u64 least_bytes = 64_MiB;
  u64 eden = std::max<u64>(least_bytes / region_bytes, 2 * u64{used});
  u64 copies = used + used / 4;
  if (used < maximum / 3) eden = std::min(eden, maximum - used - copies);
  return {.eden = static_cast<u32>(eden), .copies = static_cast<u32>(copies)};
}

bool CopyReserve::suffices(u32 ordinary, u32 free) const {
  if (free >= ordinary) return true;
  // Before the first collection survival is unknown, and most objects are expected to die.
  u64 expected = collected_ ? u64{live_} + live_ / 4 + 1 : ordinary / 3 + 1;
  return free >= expected;
}

}  // namespace keyhole::gc
