// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stress: with -XX:LockYieldInterval=n a thread yields at about every nth step that a locking algorithm counts, so that
// repeated runs see interleavings that an idle machine never shows.
#pragma once

#include "runtime/base/flags.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

void give_way_now_and_then();  // injected_yield.cpp

KEYHOLE_ALWAYS_INLINE void inject_yield() {
  if (flags::LockYieldInterval != 0) [[unlikely]]
    give_way_now_and_then();
}

}  // namespace keyhole
