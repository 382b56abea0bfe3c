// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registered native methods. Until some are registered, as in unit tests without a VM, no method has a body.
#include "vm/link/native_methods.h"

#include "vm/link/exceptions.h"

namespace keyhole {
namespace {

struct NoNativeMethods final : NativeMethods {
  NativeFunction find_or_throw(JavaThread* thread, const Method* method) MAY_SAFEPOINT override {
    return throw_new(thread, names::java_lang_UnsatisfiedLinkError, "'{}'", method->external_name());
  }
  MethodEntry entry_with_body(NativeFunction) override { return nullptr; }
};
NoNativeMethods no_natives;
NativeMethods* registered_natives = &no_natives;

}  // namespace

void register_native_methods(NativeMethods* natives) { registered_natives = natives; }

NativeMethods& native_methods() { return *registered_natives; }

}  // namespace keyhole
