// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stress: -XX:LockYieldInterval=n lets about every nth step that a locking algorithm counts give its processor away, so
// that a loop of runs sees interleavings that an idle machine never shows.
#pragma once

#include "runtime/base/flags.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

void give_way_now_and_then();   // injected_yield.cpp

KEYHOLE_ALWAYS_INLINE void inject_yield() {
  if (flags::LockYieldInterval != 0) [[unlikely]] give_way_now_and_then();
}

}  // namespace keyhole
