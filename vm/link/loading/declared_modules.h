// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Modules of a loader and their packages, except the JDK's own: modules of layers, of the module path, of proxies.
//
// Modules of lib/modules are not listed here: their packages are looked up in the image (boot_module_of_package).
#pragma once

#include <vector>

#include "runtime/threads/handles.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {

// Declares a module with `packages` in internal form ("com/example"). Throws IllegalStateException, and declares
// nothing, when the loader has a module of that name, or a package has an owner already or has classes in the unnamed
// module. False: an exception is pending.
[[nodiscard]] bool declare_module(JavaThread* thread, LoaderData* loader, Handle module,
                                  const std::vector<SymbolHandle>& packages) MAY_SAFEPOINT;

// The java.lang.Module that owns a package of the loader, or null.
Object* declared_module(const LoaderData* loader, std::string_view package);
// The module of a class; null for classes of the JDK's modules and of unnamed ones.
Object* declared_module_of(const Klass* klass);
// The owner, or the unnamed module of the class's loader; null for classes of the JDK's modules.
Object* users_module_of(const Klass* klass) TOUCHES_OBJECTS;

}  // namespace keyhole
