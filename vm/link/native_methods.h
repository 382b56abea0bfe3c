// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the bodies of native methods come from. Implemented by classlib/natives, which stands above those who ask.
#pragma once

#include "vm/link/method.h"

namespace keyhole::natives {

// The body of a native method, asked for at its first call. Null: UnsatisfiedLinkError "'void A.foo(int)'" is pending.
// Only boot classes have bodies; users' JNI libraries are not supported.
NativeFunction find_or_throw(JavaThread* thread, const Method* method);

}  // namespace keyhole::natives
