// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the method that a class selects for an interface method. A class has a table for each interface that it
// implements, with an entry for each of the interface's methods. Interpreted and compiled calls search it when a site's
// cache holds another class.
#pragma once

#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"

namespace keyhole {

// `index`: Method::itable_index. Null: the class does not implement the interface, or the call raises an error
// (AbstractMethodError, IllegalAccessError).
KEYHOLE_ALWAYS_INLINE Method* interface_method(const Klass* klass, const InstanceKlass* interface, u32 index) {
  if (!klass->is_instance()) [[unlikely]]
    return nullptr;
  const InterfaceTable* tables = klass->as_instance()->interface_tables;
  for (u32 i = 0; i < klass->as_instance()->interface_table_count; ++i) {
    if (tables[i].interface != interface) continue;
    Method* found = tables[i].methods[index].load(std::memory_order_acquire);
    return found != nullptr && (found->access_flags & access::Public) != 0 ? found : nullptr;
  }
  return nullptr;
}

}  // namespace keyhole
