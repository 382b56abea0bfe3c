// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Recognises accessors by their superclass: a class of the boot loader with the name that the JDK's has.
#include "vm/link/reflection_accessors.h"

#include "vm/link/loading/loader_data.h"
#include "vm/link/release_behaviour.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

bool may_define_accessor(const LoaderData* loader) {
  return loader->kind == LoaderKind::Boot || loader->kind == LoaderKind::Accessor;
}

}  // namespace

bool is_reflection_accessor(const InstanceKlass* klass) {
  static const Symbol* name = Symbol::intern("jdk/internal/reflect/MagicAccessorImpl");
  if (!may_define_accessor(klass->loader)) return false;
  for (const Klass* each = klass; each != nullptr; each = each->super) {
    if (each->name == name) return each->loader->is_boot();
  }
  return false;
}

bool may_extend_accessor(const LoaderData* loader, const InstanceKlass* super) {
  return !release::has_reflection_accessors() || package_of(super) != "jdk/internal/reflect" ||
         may_define_accessor(loader);
}

}  // namespace keyhole
