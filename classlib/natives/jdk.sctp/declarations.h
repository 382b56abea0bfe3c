// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of sun.nio.ch.sctp; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// sun.nio.ch.sctp.SctpNet
i32 SctpNet_socket0(JavaThread*, bool) MAY_SAFEPOINT;

}  // namespace keyhole::natives
