// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of loaders and modules for messages.
#include "vm/link/loading/loader_names.h"

#include <fmt/format.h>

#include "vm/classfile/class_path.h"
#include "vm/link/linker.h"
#include "vm/link/loading/declared_modules.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/link/loading/mirrors.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
std::string loader_name_and_id(const LoaderData* loader) {
  if (loader->is_boot()) return "'bootstrap'";
  // The text that the ClassLoader's constructor made: 'name' @hash, or Class @hash; without the hash for built-in
  // loaders.
  if (Object* text = loader->java_loader->get_reference(well_known::ClassLoader_name_and_id))
    return string_to_utf8(text);
  return external_name(loader->java_loader->klass());
}

std::string module_name(const Klass* klass) {
  klass = bottom_class(klass);
  if (klass->is_primitive()) return "java.base";
  if (Object* declared = declared_module_of(klass))
    return string_to_utf8(declared->get_reference(well_known::Module_name));
  if (!is_in_jdk_module(klass)) return {};
  std::string_view module = boot_module_of_package(package_of(klass));
  return module.empty() ? std::string("java.base") : std::string(module);
}

bool same_module(const Klass* a, const Klass* b) {
  return bottom_class(a)->loader == bottom_class(b)->loader && module_name(a) == module_name(b);
}

namespace {

std::string module_and_loader(const Klass* klass, bool with_parent_loader) TOUCHES_OBJECTS {
  const LoaderData* loader = bottom_class(klass)->loader;
  std::string module = module_name(klass);
  std::string text;
  if (module.empty()) {
    text = fmt::format("in unnamed module of loader {}", loader_name_and_id(loader));
  } else {
    text = fmt::format("in module {} of loader {}", module, loader_name_and_id(loader));
  }
  if (with_parent_loader && !loader->is_boot()) {
    Object* parent = loader->java_loader->get_reference(well_known::ClassLoader_parent);
    std::string parent_name = "'bootstrap'";
    if (parent != nullptr) {
      Object* name = parent->get_reference(well_known::ClassLoader_name_and_id);
      parent_name = name != nullptr ? string_to_utf8(name) : external_name(parent->klass());
    }
    // The built-in loaders' parents need not be named.
    if (!is_builtin_loader(loader)) text += fmt::format(", parent loader {}", parent_name);
  }
  return text;
}

}  // namespace

std::string class_in_module_of_loader(const Klass* klass, bool with_verb, bool with_parent_loader) {
  return fmt::format("{} {}{}", external_name(klass), with_verb ? "is " : "",
                     module_and_loader(klass, with_parent_loader));
}

std::string both_in_module_of_loader(const Klass* from, const Klass* target) {
  if (same_module(from, target)) {
    return fmt::format("{} and {} are {}", external_name(from), external_name(target),
                       module_and_loader(target, false));
  }
  return fmt::format("{}; {}", class_in_module_of_loader(from), class_in_module_of_loader(target));
}

}  // namespace keyhole
