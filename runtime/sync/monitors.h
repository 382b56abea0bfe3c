// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's monitors: the list of monitors in use, and the deflation of idle ones while the program runs.
//
//   a collection           updates or frees each monitor (monitor_list.h visit_weak)
//   the deflater thread    is started when the count first passes the threshold; checks the count every
//                          AsyncDeflationInterval ms
//   an inflating thread    runs a pass itself, or waits for the running pass, if there are very many monitors
//
// ceiling = AvgMonitorsPerThreadEstimate x threads. The deflater runs a pass when more than
// MonitorUsedDeflationThreshold percent of the ceiling are in use, or when the last pass was
// GuaranteedAsyncDeflationInterval ms ago. Passes without progress raise the ceiling, so that a program that really
// holds many monitors is not slowed down.
//
// A thread that locks one new object after another may make millions of monitors between two checks by the deflater. To
// limit the pool, threads that make monitors also run passes themselves. They do so at MonitorUsedThrottleThreshold
// percent of the ceiling, or at twice the number of monitors that the last pass could not deflate, whichever is more.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/sync/monitor/monitor_list.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

using MonitorList = MonitorListOf<SyncWorld>;
extern MonitorList monitors;

// monitor_blocked_on and monitor_waiting_on return the object whose monitor a thread is blocked on or waits on. Called
// for thread dumps, with the world stopped.
Object* monitor_blocked_on(const JavaThread* thread);
Object* monitor_waiting_on(const JavaThread* thread);
const void* monitor_or_object(Object* object) TOUCHES_OBJECTS;

namespace deflation {
// Called at start, before the first monitor is made. Also resets the limits of the number of monitors: unit tests start
// several algorithms in one process, and earlier deflation passes may have raised the limits.
void initialize();
// Whether there are too many monitors, or the monitor table needs maintenance by the deflater (MonitorHomeOf in
// monitor_list.h).
bool is_due();
// Called when is_due(). Starts the deflater thread if it does not run yet. If there are very many monitors, runs a pass
// or waits for one.
void relieve(JavaThread* thread) MAY_SAFEPOINT;
// Runs one deflation pass, with its handshake. Returns the number of deflated monitors, or 0 if another thread is
// running a pass.
u32 run_pass(JavaThread* thread) MAY_SAFEPOINT;
}  // namespace deflation

}  // namespace keyhole::sync
