// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Yields at random moments, because threads that yield at the same count would stay in lockstep.
#include "runtime/threads/injected_yield.h"

#include <sched.h>

#include "runtime/base/platform/hardware_world.h"

namespace keyhole {

void give_way_now_and_then() {
  if (HardwareWorld::random() % static_cast<u64>(flags::LockYieldInterval) == 0) sched_yield();
}

}  // namespace keyhole
