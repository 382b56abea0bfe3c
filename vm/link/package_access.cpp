// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks for a security manager, which costs one load, and calls jdk.internal.loader.ClassLoaders.
#include "vm/link/package_access.h"

#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

constexpr u32 last_release_with_managers = 23;

bool has_security_manager() TOUCHES_OBJECTS {
  if (!library_is_within(0, last_release_with_managers)) return false;
  static const Field* manager = well_known::System_class->find_declared_field(
      Symbol::intern("security"), Symbol::intern("Ljava/lang/SecurityManager;"));
  const Object* mirror = well_known::System_class->mirror;
  return manager != nullptr && mirror != nullptr && mirror->get_reference(manager->offset) != nullptr;
}

}  // namespace

bool check_package_access(JavaThread* thread, const InstanceKlass* from, const Klass* klass) {
  if (from->loader->is_boot() || !has_security_manager()) return true;
  const Klass* bottom = bottom_class(klass);
  if (bottom->is_primitive() || bottom == from) return true;
  Klass* loaders = resolve_class(thread, Symbol::intern("jdk/internal/loader/ClassLoaders"), boot_loader());
  if (loaders == nullptr) return false;
  Method* check = loaders->as_instance()->find_declared_method(Symbol::intern("checkPackageAccess"),
                                                               Symbol::intern("(Ljava/lang/Class;Ljava/lang/Class;)V"));
  KEYHOLE_CHECK(check != nullptr, "ClassLoaders has no checkPackageAccess");
  Slot arguments[] = {slot_of(from->mirror), slot_of(bottom->mirror)};
  call_java(thread, check, arguments);
  return !has_exception(thread);
}

Klass* resolve_descriptor_in(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from) {
  Klass* klass = resolve_descriptor(thread, descriptor, from->loader);
  return klass != nullptr && check_package_access(thread, from, klass) ? klass : nullptr;
}

}  // namespace keyhole
