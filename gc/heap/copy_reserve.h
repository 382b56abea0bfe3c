// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The limit of allocation between two collections that copy everything, in regions.
//
//   0        live                      trigger                      maximum
//   |---------|------- eden --------------|------- reserve -----------|
//
// Eden is max(64 MiB, 2 * live): at least as much allocation pays for the cost of copying. While less than a third of
// the maximum is live, 5/4 of the live size stay free for the copies, so that each collection copies. Above a third, a
// reserve would cost more room than it is worth, so mutators may fill everything, and the next collection slides in
// place.
#pragma once

#include "gc/heap/sizing.h"

namespace keyhole::gc {

class CopyReserve {
 public:
  AllocationBudget budget(u32 used, u32 maximum, u64 region_bytes) const;
  // Whether a collection will probably find room for its copies. `ordinary`: regions in use that are not humongous.
  bool suffices(u32 ordinary, u32 free) const;
  // Reports the number of live regions after a collection.
  void after_collection(u32 live) {
    live_ = live;
    collected_ = true;
  }

 private:
  u32 live_ = 0;
  bool collected_ = false;
};

}  // namespace keyhole::gc
