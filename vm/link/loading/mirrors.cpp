// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Making java.lang.Class objects.
#include "vm/link/loading/mirrors.h"

#include <string_view>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/declared_modules.h"
#include "vm/link/loading/field_layout.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

// The module of boot classes that come from the boot path outside lib/modules.
Object* unnamed_module_of_boot_loader(JavaThread* thread) MAY_SAFEPOINT {
  Klass* boot = resolve_class(thread, Symbol::intern("jdk/internal/loader/BootLoader"), boot_loader());
  if (boot == nullptr) return nullptr;
  Method* getter = boot->as_instance()->find_declared_method(Symbol::intern("getUnnamedModule"),
                                                             Symbol::intern("()Ljava/lang/Module;"));
  KEYHOLE_CHECK(getter != nullptr, "BootLoader has no getUnnamedModule");
  Object* result = object_of(call_java(thread, getter, {}));
  return has_exception(thread) ? nullptr : result;
}

// The java.lang.Module of a class; null before there are modules, or with an exception pending. classlib/README.md,
// "Modules", has the rule.
Object* module_of(JavaThread* thread, Klass* klass, const char* module_source) MAY_SAFEPOINT {
  if (klass->is_array()) return klass->as_array()->component->mirror->get_reference(well_known::Class_module);
  LoaderData* loader = klass->loader;
  if (Object* declared = declared_module_of(klass)) return declared;
  if (!loader->is_boot()) {
    Object* named = named_module(thread, loader, package_of(klass));
    return named != nullptr || has_exception(thread)
               ? named
               : loader->java_loader->get_reference(well_known::ClassLoader_unnamed_module);
  }
  if (well_known::Module_class == nullptr || well_known::Module_class->mirror == nullptr ||
      well_known::Module_java_base == 0)
    return nullptr;
  Object* java_base = well_known::Module_class->mirror->get_reference(well_known::Module_java_base);
  if (java_base == nullptr || klass->is_primitive()) return java_base;

  std::string_view module;
  if (module_source != nullptr && std::string_view(module_source).starts_with("jrt:/")) module = module_source + 5;
  else module = boot_module_of_package(package_of(klass));
  return module.empty() ? unnamed_module_of_boot_loader(thread) : jdk_module(thread, module);
}

}  // namespace

Object* named_module(JavaThread* thread, LoaderData* loader, std::string_view package) {
  if (Object* declared = declared_module(loader, package)) return declared;
  if (!is_builtin_loader(loader)) return nullptr;
  std::string_view name = boot_module_of_package(package);
  Object* module = name.empty() ? nullptr : jdk_module(thread, name);
  return module != nullptr && module->get_reference(well_known::Module_loader) == loader->java_loader ? module
                                                                                                      : nullptr;
}

i32 class_modifiers(const Klass* klass) {
  constexpr i32 closed = access::Final | access::Abstract;
  if (klass->is_primitive()) return access::Public | closed;
  if (klass->is_instance()) return static_cast<i32>(klass->as_instance()->modifiers & 0xFFFF & ~access::Super);
  const Klass* bottom = const_cast<Klass*>(klass)->as_array()->bottom;
  u32 visibility = bottom->is_instance()
                       ? bottom->as_instance()->modifiers & (access::Public | access::Private | access::Protected)
                       : access::Public;
  return static_cast<i32>(visibility) | closed;
}

bool mirrors_can_be_made() { return well_known::Class_class != nullptr && well_known::Class_module != 0; }

bool make_mirror(JavaThread* thread, Klass* klass, const char* module_source) {
  Klass* class_klass = well_known::Class_class;
  u32 bytes = klass->is_instance() ? klass->as_instance()->mirror_bytes : class_klass->instance_bytes;
  Object* mirror = heap::allocate(thread, class_klass, bytes);
  if (mirror == nullptr) return throw_out_of_memory(thread, "Java heap space");
  mirror->set<Klass*>(mirror_klass_offset, klass);
  mirror->set<u32>(mirror_bytes_offset, bytes);
  klass->mirror = mirror;  // a root from here on
  LoaderData* loader = bottom_class(klass)->loader;
  if (!loader->is_boot()) barrier::store(mirror, well_known::Class_class_loader, loader->java_loader);
  if (klass->is_array()) barrier::store(mirror, well_known::Class_component_type, klass->as_array()->component->mirror);
  if (well_known::Class_modifiers != 0) {  // a library whose Class has them as fields
    mirror->set<u16>(well_known::Class_modifiers, static_cast<u16>(class_modifiers(klass)));
    mirror->set<u8>(well_known::Class_primitive, klass->is_primitive());
  }
  Object* module = module_of(thread, klass, module_source);
  if (has_exception(thread)) return false;
  barrier::store(klass->mirror, well_known::Class_module, module);
  return true;
}

bool make_early_mirrors(JavaThread* thread) {
  bool done = true;
  for_each_klass([&](Klass* klass) MAY_SAFEPOINT {
    if (klass->mirror != nullptr || !done) return;
    if (klass->is_instance() && klass->as_instance()->mirror_bytes == 0) {
      layout_static_fields(klass->as_instance(), well_known::Class_class->instance_bytes);
    }
    done = make_mirror(thread, klass);
  });
  return done;
}

}  // namespace keyhole
