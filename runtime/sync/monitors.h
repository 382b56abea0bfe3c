// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's monitors: the one list of those in use, and when idle ones are taken away while the program runs.
//
//   collections            forward or free all of them (monitor_list.h visit_weak)
//   the deflater thread    started when the count first passes the threshold; looks every AsyncDeflationInterval ms
//
// ceiling = AvgMonitorsPerThreadEstimate x threads; a pass runs when MonitorUsedDeflationThreshold percent of it are in use. Passes
// without progress raise the ceiling, so that a program that truly holds many monitors is left in peace.
#pragma once

#include "runtime/sync/monitor_list.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

using MonitorList = MonitorListOf<SyncWorld>;
extern MonitorList monitors;

// For thread dumps, world stopped.
Object* monitor_blocked_on(const JavaThread* thread);
Object* monitor_waiting_on(const JavaThread* thread);
const void* monitor_or_object(Object* object);

namespace deflation {
// There are too many monitors, or their home (monitor_list.h) has work for the deflater.
bool is_due();
// (s) Starts the deflater thread if it does not run yet.
void start_deflater(JavaThread* thread);
// (s) One pass, with the handshake. Returns how many were deflated; 0 also when another thread is at it.
u32 run_pass(JavaThread* thread);
}  // namespace deflation

}  // namespace keyhole::sync
