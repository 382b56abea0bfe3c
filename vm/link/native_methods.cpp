// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registered native methods.
#include "vm/link/native_methods.h"

#include "runtime/base/check.h"

namespace keyhole {

static NativeMethods* registered_natives = nullptr;

void register_native_methods(NativeMethods* natives) { registered_natives = natives; }

NativeMethods& native_methods() {
  KEYHOLE_ASSERT(registered_natives != nullptr, "no native methods yet");
  return *registered_natives;
}

}  // namespace keyhole
