// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of monitors only.
#include "runtime/sync/algorithms/monitor_lock.h"

#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"

namespace keyhole::sync {

static MonitorLockOf<SyncWorld> monitor_lock(monitors);
static_assert(LockProtocol<MonitorLockOf<SyncWorld>, SyncWorld>);

extern const Algorithm monitor_algorithm;
constinit const Algorithm monitor_algorithm = algorithm_over<monitor_lock, HeaderUse::Displaces>(
    "monitor", 0, "the first enter gives the object a monitor, every enter and exit goes through it",
    {
        .header_bits = 2,
        .idle_bytes = sizeof(ObjectMonitor),
        .held_bytes = sizeof(ObjectMonitor),
        .contended_bytes = sizeof(ObjectMonitor),
        .fairness = "competitive, FIFO wake-up",
        .recursion = "counted in the monitor",
        .displacing = "the address of a monitor",
        .traces = {.alone = "SI", .contended = "SKI", .hashed = ""},
    },
    &fast_path_rows::monitor, initialize_monitors);

}  // namespace keyhole::sync
