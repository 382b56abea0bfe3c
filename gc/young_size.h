// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How large eden is until the next collection of the generational plan, in regions.
//
//   wanted     max(64 MiB, 2 * what is in use): as much allocation as makes a collection worth its while
//   at least   NewSize, 5% of the heap
//   at most    MaxNewSize, 60% of the heap
//              what MaxGCPauseMillis allows, going by how long the last collections took for each byte of the young generation
//              what leaves room for the copies of what survives of it
#pragma once

#include "runtime/base/types.h"

namespace keyhole::gc {

class YoungSize {
 public:
  // Bytes of the young generation, and how long it took.
  void add_pause(u64 young_bytes, i64 nanoseconds);
  // How long a young generation of so many bytes is expected to take; 0 = nothing known.
  f64 predicted_nanoseconds(u64 young_bytes) const { return nanoseconds_per_byte_ * static_cast<f64>(young_bytes); }
  // `used` regions hold what survived; `survival` of eden will have to be copied (0..1).
  u32 eden_regions(u32 used, u32 maximum, u64 region_bytes, f64 survival) const;

 private:
  f64 nanoseconds_per_byte_ = 0;   // decaying average; 0 = nothing known
};

}  // namespace keyhole::gc
