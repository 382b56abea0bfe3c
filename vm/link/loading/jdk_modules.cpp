// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Module.ofSystem decides which modules exist and which loader defines their classes; its answers do not
// change. java.base needs no call: its classes are loaded before there is a Module.
#include "vm/link/loading/jdk_modules.h"

#include <fmt/format.h>

#include <map>

#include "runtime/base/mutex.h"
#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_definition.h"
#include "vm/link/loading/class_file_hook.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

using ModulesByName = std::map<std::string, Handle, std::less<>>;  // global handles

Mutex modules_mutex{LockRank::jdk_modules};
ModulesByName& modules GUARDED_BY(modules_mutex) = *new ModulesByName;  // outlives every static destructor

Object* known_module(std::string_view name) TOUCHES_OBJECTS {
  MutexLock guard(modules_mutex);
  auto known = modules.find(name);
  return known == modules.end() ? nullptr : known->second.get();
}

// Null before there are modules.
Object* java_base() TOUCHES_OBJECTS {
  using namespace well_known;
  if (Module_class == nullptr || Module_class->mirror == nullptr || Module_java_base == 0) return nullptr;
  return Module_class->mirror->get_reference(Module_java_base);
}

constexpr std::string_view image_location = "jrt:/";

// The module of a class that "platform" or "app" is about to define; null with an exception pending.
Object* protection_domain(JavaThread* thread, const Symbol* name) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle text = scope.make(make_string(thread, name->dotted()));
  Klass* loaders = resolve_class(thread, Symbol::intern("jdk/internal/loader/ClassLoaders"), boot_loader());
  if (!text || loaders == nullptr || !initialize_class(thread, loaders->as_instance())) return nullptr;
  Method* getter = loaders->as_instance()->find_declared_method(
      Symbol::intern("protectionDomain"), Symbol::intern("(Ljava/lang/String;)Ljava/security/ProtectionDomain;"));
  KEYHOLE_CHECK(getter != nullptr, "ClassLoaders has no protectionDomain");
  Slot arguments[] = {slot_of(text)};
  return object_of(call_java(thread, getter, arguments));
}

// Finds a class that has no file: Lookup.defineClass and similar calls have put it into a package of a module, or of
// none.
Klass* defined_at_run_time(JavaThread* thread, const Symbol* name, bool boot_only) MAY_SAFEPOINT {
  std::string_view module_name = boot_module_of_package(package_of_name(name->text()));
  LoaderData* loader = boot_loader();
  if (!module_name.empty() && module_name != "java.base") {
    Object* module = jdk_module(thread, module_name);
    if (module == nullptr) return nullptr;
    loader = loader_data_of(thread, module->get_reference(well_known::Module_loader));
  }
  return boot_only && !loader->is_boot() ? nullptr : find_loaded_class(name, loader);
}

// Loads a class from lib/modules. Null: there is no such class, or its module is not in the boot layer, or, with
// `boot_only`, another loader defines it; or an exception is pending.
Klass* load_from_image(JavaThread* thread, const Symbol* name, bool boot_only) MAY_SAFEPOINT {
  fmt::basic_memory_buffer<char, 256> path;
  path.append(name->text());
  path.append(std::string_view(".class"));
  auto found = boot_find({path.data(), path.size()});
  if (!found) return defined_at_run_time(thread, name, boot_only);
  LoaderData* loader = boot_loader();
  std::string_view location = found->location;
  if (location.starts_with(image_location) && location != "jrt:/java.base") {
    Object* module = jdk_module(thread, location.substr(image_location.size()));
    if (module == nullptr) return nullptr;
    loader = loader_data_of(thread, module->get_reference(well_known::Module_loader));
    if (boot_only && !loader->is_boot()) return nullptr;
  }
  if (Klass* known = find_loaded_class(name, loader)) return known;
  DefineOptions options;
  options.source = found->location.c_str();
  options.of_jdk = true;
  HandleScope scope(thread);
  if (!loader->is_boot() && class_file_hook.load(std::memory_order_relaxed) != nullptr) {
    options.domain = scope.make(protection_domain(thread, name));
    if (has_exception(thread)) return nullptr;
  }
  return define_class_from(thread, name, found->bytes, found->owner == nullptr, loader, options);
}

}  // namespace

Object* jdk_module(JavaThread* thread, std::string_view name) {
  using namespace well_known;
  if (Object* known = known_module(name)) return known;
  Object* base = java_base();
  if (base == nullptr || name == "java.base") return base;
  HandleScope scope(thread);
  Handle text = scope.make(make_string(thread, name));
  if (!text || !initialize_class(thread, Module_class)) return nullptr;
  Slot arguments[] = {slot_of(text)};
  Object* module = object_of(call_java(thread, Module_of_system, arguments));
  if (has_exception(thread) || module == nullptr) return nullptr;
  MutexLock guard(modules_mutex);
  auto [entry, is_new] = modules.try_emplace(std::string(name));
  if (is_new) entry->second = GlobalHandles::make(module);
  return module;
}

Klass* load_from_jdk(JavaThread* thread, const Symbol* name) { return load_from_image(thread, name, false); }
Klass* load_from_boot_modules(JavaThread* thread, const Symbol* name) { return load_from_image(thread, name, true); }

bool jdk_owns_package(JavaThread* thread, std::string_view package) {
  std::string_view module = boot_module_of_package(package);
  return !module.empty() && (module == "java.base" || jdk_module(thread, module) != nullptr);
}

bool is_in_jdk_module(const Klass* klass) {
  klass = bottom_class(klass);
  if (klass->is_primitive() || klass->loader->is_boot()) return true;
  if (!is_builtin_loader(klass->loader)) return false;
  if (klass->mirror == nullptr) {  // being defined: by its package
    Object* module = known_module(boot_module_of_package(package_of(klass)));
    return module != nullptr && module->get_reference(well_known::Module_loader) == klass->loader->java_loader;
  }
  Object* module = klass->mirror->get_reference(well_known::Class_module);
  return module != nullptr && module->get<bool>(well_known::Module_system);
}

Object* jdk_module_of(const Klass* klass) {
  klass = bottom_class(klass);
  if (klass->mirror != nullptr) return klass->mirror->get_reference(well_known::Class_module);
  std::string_view name = boot_module_of_package(package_of(klass));
  return name.empty() || name == "java.base" ? java_base() : known_module(name);
}

}  // namespace keyhole
