// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler's lock: over the code cache, the entry stubs, the codes of all methods and the sweeper's list. All tiers
// take it. The baseline tier holds it while it compiles, the optimising tier while it takes room and installs.
#pragma once

#include "runtime/base/mutex.h"

namespace keyhole {

inline Mutex compiler_lock{LockRank::compiler};

}  // namespace keyhole
