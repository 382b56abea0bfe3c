// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks java.lang.Module by canRead and isExported.
#include "vm/link/module_access.h"

#include <fmt/format.h>

#include "runtime/sync/synchronizer.h"
#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/declared_modules.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/reflection_accessors.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

// Names a module in messages: "module greet", "unnamed module @0x1b2c3d".
std::string words_for(JavaThread* thread, Handle module) MAY_SAFEPOINT {
  if (Object* name = module->get_reference(well_known::Module_name)) return "module " + string_to_utf8(name);
  return fmt::format("unnamed module @0x{:x}", static_cast<u32>(sync::identity_hash(thread, module)));
}

bool ask(JavaThread* thread, Method* question, std::span<const Slot> arguments) MAY_SAFEPOINT {
  return static_cast<i32>(call_java(thread, question, arguments)) != 0 && !has_exception(thread);
}

}  // namespace

bool module_lets_see(JavaThread* thread, const InstanceKlass* from, const Klass* target, std::string& why) {
  target = bottom_class(target);
  if (target->is_primitive() || is_reflection_accessor(from)) return true;
  std::string_view package = package_of(target);
  if (target->loader->is_boot() && package.starts_with("java/") && boot_module_of_package(package) == "java.base")
    return true;
  Object* own = users_module_of(from);
  if (own == nullptr) {  // the JDK's own classes obey the rules; a patch's may not
    if (from->is_hidden || !boot_patches_package(package_of(from))) return true;
    own = jdk_module_of(from);
  }
  Object* others = users_module_of(target);
  if (others == nullptr) others = jdk_module_of(target);
  if (own == others || own == nullptr || others == nullptr) return true;
  bool own_is_named = own->get_reference(well_known::Module_name) != nullptr;
  if (!own_is_named && others->get_reference(well_known::Module_name) == nullptr) return true;  // both unnamed

  HandleScope scope(thread);
  Handle from_module = scope.make(own);
  Handle to_module = scope.make(others);
  Slot reads[] = {slot_of(from_module), slot_of(to_module)};
  bool may_read = ask(thread, well_known::Module_can_read, reads);
  if (has_exception(thread)) return false;
  std::string dotted(package);
  for (char& c : dotted)
    if (c == '/') c = '.';
  if (may_read) {
    Handle name = scope.make(make_string(thread, dotted));
    if (!name) return false;
    Slot exported[] = {slot_of(to_module), slot_of(name), slot_of(from_module)};
    if (ask(thread, well_known::Module_is_exported, exported)) return true;
    if (has_exception(thread)) return false;
  }
  std::string from_words = words_for(thread, from_module), to_words = words_for(thread, to_module);
  why = fmt::format("class {} (in {}) cannot access class {} (in {}) because ", external_name(from), from_words,
                    external_name(target), to_words);
  if (may_read) why += fmt::format("{} does not export {} to {}", to_words, dotted, from_words);
  else why += fmt::format("{} does not read {}", from_words, to_words);
  return false;
}

}  // namespace keyhole
