// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers for the objects that events name: 1, 2, ... in the order of their first event. A number follows its object
// when it moves, and is not given again.
//
//   address --Ring::objects--> number      remembered by the thread: 1 ns
//   address --table----------> number      shared, in shards: 50 ns
//
// O1: a number is asked for by a managed thread only, so no collection runs meanwhile; the table's addresses change
//     while the world is stopped, when every thread's memory is cleared.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/object/object.h"
#include "runtime/recorder/ring.h"

namespace keyhole::recorder {

inline u32 address_key(const Object* object) { return static_cast<u32>(reinterpret_cast<uptr>(object) >> 3); }
u32 look_up_number(const Object* object) TOUCHES_OBJECTS;
// The number of the object. The first call for an object records an event `object` with its class.
inline u32 number_of(const Object* object) TOUCHES_OBJECTS {
  if (Ring* ring = own_ring) [[likely]] {
    if (const u32* known = ring->objects.find(address_key(object))) [[likely]]
      return *known;
  }
  return look_up_number(object);
}
// The object's number, or 0. Called by any thread that may touch the object, and by the collector after update_objects.
u32 known_number_of(const Object* object);
// Called by the collector, world stopped. forward() returns the new address of an object, or null when it died.
void update_objects(Object* (*forward)(Object*, void*), void* context);
// Forgets the names of classes, because classes may have died and their ids may be reused. World stopped.
void forget_classes();
// Called when a new file begins: records the events of the numbered objects again.
void record_known_objects();

}  // namespace keyhole::recorder
