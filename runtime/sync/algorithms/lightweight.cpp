// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of lightweight locking.
#include "runtime/sync/algorithms/lightweight.h"

#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"

namespace keyhole::sync {

u32 LimitedLockStack::entries = JavaThread::lock_stack_capacity;
bool LimitedLockStack::recursive = true;

static LightweightOf<SyncWorld, LimitedLockStack> lightweight(monitors);
static_assert(LockProtocol<LightweightOf<SyncWorld, LimitedLockStack>, SyncWorld>);

static std::string initialize_lightweight() {
  LimitedLockStack::entries = static_cast<u32>(flags::LockStackCapacity);
  LimitedLockStack::recursive = flags::RecursiveLightweightLocking;
  return initialize_monitors();
}

static const FastPathRow* snippet() {
  bool whole = LimitedLockStack::entries == JavaThread::lock_stack_capacity && LimitedLockStack::recursive;
  return whole ? &fast_path_rows::lightweight : &fast_path_rows::lightweight_limited;
}

extern const Algorithm lightweight_algorithm;
constinit const Algorithm lightweight_algorithm = algorithm_over<lightweight, HeaderUse::Displaces>(
    "lightweight", 2, "CAS the header's low bits, keep the object on the thread's lock stack; a monitor when contended",
    {
        .header_bits = 2,
        .idle_bytes = 0,
        .held_bytes = 8,
        .contended_bytes = sizeof(ObjectMonitor),
        .fairness = "competitive, FIFO wake-up",
        .recursion = "adjacent on the lock stack, else in the monitor",
        .displacing = "the address of a contended object's monitor",
        // If headers have no room for a monitor, this mode uses the object monitor table.
        .traces = {.alone = "", .contended = layout::can_displace ? "SKI" : "SKIT", .hashed = ""},
    },
    &fast_path_rows::lightweight, initialize_lightweight, snippet);

}  // namespace keyhole::sync
