// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the class library's native methods. classlib/natives implements it, in a layer above the callers.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole {

class NativeMethods {
 public:
  // The body of a native method, found at its first call. Null: UnsatisfiedLinkError "'void A.foo(int)'" is pending.
  // Only boot classes have bodies; users' JNI libraries are not supported.
  virtual NativeFunction find_or_throw(JavaThread* thread, const Method* method) MAY_SAFEPOINT = 0;
  // An entry (vm/interpreter/entries.h) that contains this body instead of calling it, or null.
  virtual MethodEntry entry_with_body(NativeFunction body) = 0;

 protected:
  ~NativeMethods() = default;
};

// Called once, before Java runs.
void register_native_methods(NativeMethods* natives);
NativeMethods& native_methods();

}  // namespace keyhole
