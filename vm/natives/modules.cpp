// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Module's native. The overlay's Module defines java.base once; from then on Class.module of every class of the boot loader
// that has none yet is that object, and vm/link gives it to the classes that follow (static field Module.javaBase).
#include "vm/natives/modules.h"

#include "vm/natives/declarations.h"
#include "vm/natives/support.h"

namespace keyhole::natives {

namespace {
Handle base_version;
}

Object* java_base_version() { return base_version.get(); }

void Module_defineModule0(JavaThread* thread, Handle module, bool, Handle version, Handle, Handle packages) {
  if (module.is_null()) {
    throw_message(thread, names::java_lang_NullPointerException, "Null module object");
    return;
  }
  // Modules made at run time (proxies) name their packages: their classes find the module through their loader.
  if (!packages.is_null()) return;
  if (!version.is_null() && base_version.slot() == nullptr) base_version = GlobalHandles::make(version.get());
  for_each_klass([&](Klass* klass) {
    if (klass->mirror == nullptr || (klass->loader != nullptr && !klass->loader->is_boot())) return;
    if (klass->mirror->get_reference(well_known::Class_module) == nullptr) barrier::store(klass->mirror, well_known::Class_module, module.get());
  });
}

}  // namespace keyhole::natives
