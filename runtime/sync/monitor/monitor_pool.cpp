// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of monitors.
//
// The callers of free_monitor ensure that every thread has passed a poll since the monitor was detached. So no thread
// takes a reused monitor for the old one. Chunks stay mapped, so a stray read of a freed monitor cannot fault.
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
