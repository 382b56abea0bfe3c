// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the bodies of native methods. Implemented by classlib/natives, in a layer above the callers.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::natives {

// The body of a native method, found at its first call. Null: UnsatisfiedLinkError "'void A.foo(int)'" is pending. Only
// boot classes have bodies; users' JNI libraries are not supported.
NativeFunction find_or_throw(JavaThread* thread, const Method* method) MAY_SAFEPOINT;
// An entry (vm/interpreter/entries.h) that has this body in itself instead of calling it; null: there is none.
MethodEntry entry_with_body(NativeFunction body);

}  // namespace keyhole::natives
