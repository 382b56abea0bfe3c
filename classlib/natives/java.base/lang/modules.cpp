// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native of java.lang.Module. The overlay's Module defines java.base once, without a list of packages. Then
// Class.module of all classes of the boot loader that have no module yet is set to that object, and vm/link gives it to
// classes that are loaded later (static field Module.javaBase). All other modules list their packages.
#include <algorithm>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "vm/link/loading/declared_modules.h"

namespace keyhole::natives {

void Module_defineModule0(JavaThread* thread, Handle module, bool, Handle, Handle, Handle packages) {
  if (module.is_null()) {
    throw_message(thread, names::java_lang_NullPointerException, "Null module object");
    return;
  }
  if (!packages.is_null()) {
    std::vector<SymbolHandle> owned;
    for (i32 i = 0; i < packages->length(); ++i) {
      std::string name = string_to_utf8(packages->reference_at(i));
      std::replace(name.begin(), name.end(), '.', '/');
      owned.emplace_back(name);
    }
    LoaderData* loader = loader_data_of(thread, module->get_reference(well_known::Module_loader));
    static_cast<void>(declare_module(thread, loader, module, owned));
    return;
  }
  for_each_klass([&](Klass* klass) TOUCHES_OBJECTS {
    if (klass->mirror == nullptr || (klass->loader != nullptr && !klass->loader->is_boot())) return;
    if (klass->mirror->get_reference(well_known::Class_module) == nullptr)
      barrier::store(klass->mirror, well_known::Class_module, module.get());
  });
}

}  // namespace keyhole::natives
