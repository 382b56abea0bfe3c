// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Notifications to the library: pauses of a collector, and pools above a threshold.
//
//   end of a pause, world stopped        Notification Thread (Java can see it; started when something is first wanted)
//   observer: queue the pause  ------->  GarbageCollectorExtImpl.createGCNotification, if that collector has listeners
//                              \------>  thresholds: Sensor.trigger when a pool exceeds one, Sensor.clear when below
//
// N1: the observer allocates nothing in the heap and never blocks. If pauses come faster than they are delivered, the
//     queue grows, because a listener may wait for exactly the pause that a bounded queue would drop.
// N2: an exception of a listener is printed; the other listeners are still notified.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives::management {

enum class ThresholdKind : u8 { usage, after_collection };

// Sets a threshold; 0 bytes switch it off. Pools have numbers (support.h).
void set_threshold(u32 pool, ThresholdKind kind, i64 bytes);
void set_sensor(JavaThread* thread, u32 pool, ThresholdKind kind, Handle sensor) MAY_SAFEPOINT;
void set_listened_to(JavaThread* thread, u32 collector, Handle bean, bool is_listened_to) MAY_SAFEPOINT;

}  // namespace keyhole::natives::management
