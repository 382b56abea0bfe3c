// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the table of packages, which is part of the loader (LoaderData::modules): it has a handful of entries, and
// is searched once per class.
#include "vm/link/loading/declared_modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/mutex.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

std::string name_of_module(Object* module) TOUCHES_OBJECTS {
  return string_to_utf8(module->get_reference(well_known::Module_name));
}

// Says what occupies the package; empty if it is free.
std::string occupied_by(const LoaderData* loader, const Symbol* package) TOUCHES_OBJECTS REQUIRES(loader->mutex) {
  if (auto owner = loader->modules.find(package); owner != loader->modules.end()) {
    return fmt::format("another module, {}, defined to the class loader", name_of_module(owner->second));
  }
  if (loader->is_boot()) return {};
  bool used = std::any_of(loader->dictionary.begin(), loader->dictionary.end(), [&](const auto& entry) {
    return entry.second != nullptr && entry.second->loader == loader && package_of(entry.second) == package->text();
  });
  return used ? "the unnamed module defined to the class loader" : "";
}

}  // namespace

bool declare_module(JavaThread* thread, LoaderData* loader, Handle module, const std::vector<SymbolHandle>& packages) {
  std::string name = name_of_module(module.get());
  std::string problem;
  {
    MutexLock guard(loader->mutex);
    bool known = std::any_of(loader->modules.begin(), loader->modules.end(),
                             [&](const auto& entry) TOUCHES_OBJECTS { return name_of_module(entry.second) == name; });
    if (known) problem = fmt::format("Module {} is already defined", name);
    for (const SymbolHandle& package : packages) {
      if (!problem.empty()) break;
      if (std::string owner = occupied_by(loader, package); !owner.empty()) {
        problem = fmt::format("Package {} for module {} is already in {}", package->text(), name, owner);
      }
    }
    if (problem.empty()) {
      for (const SymbolHandle& package : packages) {
        loader->unit.keep(package);
        loader->modules.emplace(package, module.get());
      }
    }
  }
  if (problem.empty()) return true;
  throw_message(thread, names::java_lang_IllegalStateException, problem);
  return false;
}

Object* declared_module(const LoaderData* loader, std::string_view package) {
  auto& own = *const_cast<LoaderData*>(loader);
  MutexLock guard(own.mutex);
  if (own.modules.empty()) return nullptr;
  SymbolHandle name = Symbol::find(package);
  auto owner = name == nullptr ? own.modules.end() : own.modules.find(name);
  return owner == own.modules.end() ? nullptr : owner->second;
}

Object* declared_module_of(const Klass* klass) {
  klass = bottom_class(klass);
  return klass->is_primitive() ? nullptr : declared_module(klass->loader, package_of(klass));
}

Object* users_module_of(const Klass* klass) {
  klass = bottom_class(klass);
  if (klass->is_primitive()) return nullptr;
  if (Object* module = declared_module(klass->loader, package_of(klass))) return module;
  return is_in_jdk_module(klass) ? nullptr
                                 : klass->loader->java_loader->get_reference(well_known::ClassLoader_unnamed_module);
}

}  // namespace keyhole
