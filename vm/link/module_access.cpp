// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks java.lang.Module.isExported.
#include "vm/link/module_access.h"

#include <fmt/format.h>

#include "runtime/sync/synchronizer.h"
#include "vm/link/exceptions.h"
#include "vm/link/external_names.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/packages.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

// A proxy class belongs to a dynamic module, which reads and is exported what its interfaces need.
bool is_proxy(const InstanceKlass* klass) { return klass->super != nullptr && klass->super->name->text() == "java/lang/reflect/Proxy"; }

}  // namespace

bool module_lets_see(JavaThread* thread, const InstanceKlass* from, const Klass* target, std::string& why) {
  if (target->is_array()) target = target->as_array()->bottom;
  if (from->loader->is_boot() || target->is_primitive() || !target->loader->is_boot()) return true;
  std::string_view package = package_of(target);
  if (package.starts_with("java/") || is_proxy(from) || is_reflection_accessor(from)) return true;

  HandleScope scope(thread);
  Handle from_module = scope.make(from->loader->java_loader->get_reference(well_known::ClassLoader_unnamed_module));
  std::string dotted(package);
  for (char& c : dotted) if (c == '/') c = '.';
  Handle name = scope.make(make_string(thread, dotted));
  if (!name) return false;
  Slot arguments[] = {slot_of(target->mirror->get_reference(well_known::Class_module)), slot_of(name), slot_of(from_module)};
  bool exported = static_cast<i32>(call_java(thread, well_known::Module_is_exported, arguments)) != 0;
  if (has_exception(thread)) return false;
  if (exported) return true;
  std::string module = module_name(target);
  u32 unnamed = static_cast<u32>(sync::identity_hash(thread, from_module));
  why = fmt::format("class {} (in unnamed module @0x{:x}) cannot access class {} (in module {}) because module {} does not export {} to unnamed module @0x{:x}",
                    external_name(from), unnamed, external_name(target), module, module, dotted, unnamed);
  return false;
}

}  // namespace keyhole
