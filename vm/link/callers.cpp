// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Recognises reflection frames by the names of the library's boot classes, and generated accessors by their superclass.
#include "vm/link/callers.h"

#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"

namespace keyhole {

bool is_reflection_frame(const Method* method) {
  static const Symbol* reflect_method = Symbol::intern("java/lang/reflect/Method");
  static const Symbol* invoke = Symbol::intern("invoke");
  static const Symbol* method_accessor = Symbol::intern("jdk/internal/reflect/MethodAccessorImpl");
  const InstanceKlass* holder = method->holder;
  if (holder->is_boot && (method->hidden_frame || (method->name == invoke && holder->name == reflect_method)))
    return true;
  for (const Klass* klass = holder; klass != nullptr; klass = klass->super)
    if (klass->name == method_accessor && klass->as_instance()->is_boot) return true;
  return false;
}

}  // namespace keyhole
