// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes regions that keep objects walkable again.
#include "gc/policy/forwarding.h"

#include "gc/heap/filler.h"
#include "gc/scan.h"

namespace keyhole::gc {

void fill_gaps(Region& region) {
  char* gap = region.bottom();
  char* top = region.top();
  for (char* position = gap; position < top;) {
    Object* object = reinterpret_cast<Object*>(position);
    u64 first = first_bytes(object).load(std::memory_order_relaxed);
    if (layout::is_forwarded(first)) {
      // The klass, and a size that is stored in the object, are read at the new place.
      position += object_bytes(target_of(first)) - ((first & grew_bit) != 0 ? layout::object_alignment : 0);
      continue;
    }
    u64 bytes = object_bytes(object, klass_in_walk(object));
    layout::Word word = object->header_word();
    if ((word & layout::self_forwarded_bit) != 0) {
      object->header().store(word & ~layout::self_forwarded_bit, std::memory_order_relaxed);
      write_filler(gap, static_cast<u64>(position - gap));
      gap = position + bytes;
    }
    position += bytes;
  }
  region.set_top(gap);
  region.set_dirty(true);
}

}  // namespace keyhole::gc
