// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding members by name and descriptor, without access checks (JVMS 5.4.3.2 to 5.4.3.4, the look-up halves).
#include "vm/link/linker.h"
#include "vm/link/vtable.h"

namespace keyhole {
namespace {

// Finds a method in the superinterfaces (JVMS 5.4.3.3, steps 3 and 4): the one concrete maximally-specific method, else
// any candidate.
Method* find_in_superinterfaces(InstanceKlass* klass, const Symbol* name, const Symbol* descriptor) {
  std::vector<Method*> candidates = maximally_specific_methods(klass, name, descriptor);
  Method* concrete = nullptr;
  for (Method* method : candidates) {
    if (method->is_abstract()) continue;
    if (concrete != nullptr) return candidates.front();
    concrete = method;
  }
  if (concrete != nullptr) return concrete;
  return candidates.empty() ? nullptr : candidates.front();
}

}  // namespace

Method* find_method(Klass* klass, const Symbol* name, const Symbol* descriptor) {
  if (!klass->is_instance()) klass = klass->super;  // arrays have Object's methods
  if (klass == nullptr) return nullptr;
  InstanceKlass* instance = klass->as_instance();
  if (!klass->is_interface()) {
    if (Method* method = instance->find_method_in_class_chain(name, descriptor)) return method;
    return find_in_superinterfaces(instance, name, descriptor);
  }
  if (Method* method = instance->find_declared_method(name, descriptor)) return method;
  Method* of_object = klass->super->as_instance()->find_declared_method(name, descriptor);
  if (of_object != nullptr && (of_object->access_flags & access::Public) != 0 && !of_object->is_static())
    return of_object;
  return find_in_superinterfaces(instance, name, descriptor);
}

bool has_conflicting_defaults(Klass* klass, const Method* method) {
  if (!klass->is_instance() || klass->is_interface() || !method->holder->is_interface()) return false;
  u32 defaults = 0;
  for (const Method* candidate : maximally_specific_methods(klass->as_instance(), method->name, method->descriptor))
    defaults += !candidate->is_abstract();
  return defaults > 1;
}

Field* find_field(InstanceKlass* klass, const Symbol* name, const Symbol* descriptor) {
  for (Klass* at = klass; at != nullptr; at = at->super) {
    InstanceKlass* instance = at->as_instance();
    if (Field* field = instance->find_declared_field(name, descriptor)) return field;
    for (u32 i = 0; i < instance->interface_count; ++i) {
      // The superclass of an interface is Object, which has no fields.
      if (Field* field = find_field(instance->interfaces[i], name, descriptor)) return field;
    }
  }
  return nullptr;
}

}  // namespace keyhole
