// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler's lock guards the code cache, the entry stubs, the codes of all methods and the sweeper's list. The
// baseline tier holds it while it compiles, the optimising tier only while it allocates room and installs code.
#pragma once

#include "runtime/base/mutex.h"

namespace keyhole {

inline Mutex compiler_lock{LockRank::compiler};

}  // namespace keyhole
