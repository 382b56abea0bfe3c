// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the thread that stopped the world may do without a lock.
//
// No thread stops while it holds a lock of the VM, so with the world stopped nobody holds one but the thread whose
// operation runs. The same is true before there are other threads.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/mutex.h"

namespace keyhole::safepoint {

// What `mutex` guards may be touched: a claim, which the compiler believes.
inline void assert_holds(const Mutex& mutex) ASSERT_CAPABILITY(mutex) {}

}  // namespace keyhole::safepoint
