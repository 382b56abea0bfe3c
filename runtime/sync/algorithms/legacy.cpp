// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of stack-locking.
#include "runtime/sync/algorithms/legacy.h"

#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"

namespace keyhole::sync {

static LegacyOf<SyncWorld> legacy(monitors);
static_assert(LockProtocol<LegacyOf<SyncWorld>, SyncWorld>);

extern const Algorithm legacy_algorithm;
constinit const Algorithm legacy_algorithm = algorithm_over<legacy, HeaderUse::Displaces>(
    "legacy", 1,
    "CAS a pointer to the frame's lock record into the header, which moves into the record; a monitor when contended",
    {
        .header_bits = 2,
        .idle_bytes = 0,
        .held_bytes = sizeof(LockRecord),
        .contended_bytes = sizeof(ObjectMonitor),
        .fairness = "competitive, FIFO wake-up",
        .recursion = "a mark in the frame's record, or counted in the monitor",
        .displacing = "the address of a lock record",
        .traces = {.alone = "", .contended = "SKI", .hashed = "I"},
    },
    &fast_path_rows::legacy, initialize_monitors);

}  // namespace keyhole::sync
