// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of monitors.
//
// A freed monitor is reused only after every thread has passed a poll (the callers of free_monitor ensure that), so an
// old pointer is never dereferenced as a new monitor; and since chunks stay mapped a stray read cannot fault.
#include "runtime/sync/lock_statistics.h"
#include "runtime/sync/slot_pool.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static SlotPool<sizeof(ObjectMonitor)> monitor_slots;

ObjectMonitor* SyncWorld::allocate_monitor() {
  void* memory = monitor_slots.take();
  return memory == nullptr ? nullptr : new (memory) ObjectMonitor;
}

void SyncWorld::free_monitor(ObjectMonitor* monitor) {
  ObjectMonitor::Regime::forget_trials(*monitor);
  monitor_slots.give_back(monitor);
}

usize statistics::monitor_bytes() { return monitor_slots.reserved_bytes(); }

}  // namespace keyhole::sync
