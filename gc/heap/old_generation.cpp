// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The work that follows a sliding collection.
#include "gc/heap/old_generation.h"

#include "gc/card_table.h"
#include "gc/heap/space.h"
#include "gc/scan.h"

namespace keyhole::gc {

void OldGeneration::take_everything(Region* last) {
  promotion_region = last;
  if (last != nullptr) card_table::clean_range(card_table::align_up_to_card(last->top()), last->end());
  candidates.clear();
  space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
    if (region.state() == RegionState::Shared) {
      region.set_generation(Generation::Eden);
      return;
    }
    region.set_generation(Generation::Old);
    card_table::dirty_range(region.bottom(), region.top());
    if (region.is_humongous()) return;
    for_each_object_in(
        region, [](Object* object, Klass*, u64 bytes) { card_table::record(reinterpret_cast<char*>(object), bytes); });
  });
}

}  // namespace keyhole::gc
