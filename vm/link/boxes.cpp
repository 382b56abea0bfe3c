// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The cache, and new boxes.
#include "vm/link/boxes.h"

#include "gc/heap/heap.h"
#include "vm/link/exceptions.h"
#include "vm/link/well_known.h"

namespace keyhole::boxes {

namespace {

Object* cache() TOUCHES_OBJECTS {
  return well_known::IntegerCache_class->mirror->get_reference(well_known::IntegerCache_cache);
}

}  // namespace

u32 cached_count() { return static_cast<u32>(cache()->length()); }

Object* value_of(JavaThread* thread, i32 number) {
  u32 place = static_cast<u32>(number) - static_cast<u32>(first_cached);
  if (place < cached_count()) return cache()->reference_at(static_cast<i32>(place));
  Object* box = heap::allocate_instance(thread, well_known::Integer_class);
  if (box == nullptr) return throw_out_of_memory(thread, heap::exhausted_message);
  box->set<i32>(well_known::Integer_value, number);
  return box;
}

}  // namespace keyhole::boxes
