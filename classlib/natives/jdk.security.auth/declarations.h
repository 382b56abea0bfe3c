// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of com.sun.security.auth; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// com.sun.security.auth.module.UnixSystem
void UnixSystem_getUnixInfo(JavaThread*, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
