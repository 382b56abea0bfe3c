// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How much mutators may allocate between collections that copy everything, in regions.
//
//   0        live                      trigger                      maximum
//   |---------|------- eden --------------|------- reserve -----------|
//
// Eden is max(64 MiB, 2 * live): what copying costs is paid for by at least as much allocation. While less than a third
// of the maximum lives, 5/4 of it stay free for the copies, so that each collection is a copying one. Above that a
// reserve would cost more room than it is worth: mutators may fill everything, and the collection that follows slides
// in place.
#pragma once

#include "gc/sizing.h"

namespace keyhole::gc {

class CopyReserve {
 public:
  AllocationBudget budget(u32 used, u32 maximum, u64 region_bytes) const;
  // Is a collection likely to find room for its copies? `ordinary`: regions in use that are not humongous.
  bool suffices(u32 ordinary, u32 free) const;
  // So many regions lived.
  void after_collection(u32 live) {
    live_ = live;
    collected_ = true;
  }

 private:
  u32 live_ = 0;
  bool collected_ = false;
};

}  // namespace keyhole::gc
