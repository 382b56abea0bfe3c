// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's modules in the boot layer, and their classes in lib/modules.
//
//   a package of                  looked up by the boot loader   looked up by "platform" or "app"
//   java.base, or another module  defined here                   defined by the boot loader
//   of the boot loader
//   a module of another loader    not found                      defined by the module's loader
//   a module outside the layer    not found                      the package is free: the class path may have it
#pragma once

#include <string_view>

#include "vm/link/loading/loader_data.h"

namespace keyhole {

// The java.lang.Module of a module of lib/modules. Null without exception: the boot layer does not have it. May call
// Java the first time.
Object* jdk_module(JavaThread* thread, std::string_view name) MAY_SAFEPOINT;

// The class of this name in the module that owns its package, whichever built-in loader defines it. Null without an
// exception: no such class.
Klass* load_from_jdk(JavaThread* thread, const Symbol* name) MAY_SAFEPOINT;
// Loads a class as the boot loader finds it: only if the boot loader defines it.
Klass* load_from_boot_modules(JavaThread* thread, const Symbol* name) MAY_SAFEPOINT;

// Does a module of the boot layer's JDK own the package ("java/util")? Classes of the class path cannot be in it.
bool jdk_owns_package(JavaThread* thread, std::string_view package) MAY_SAFEPOINT;

// Is a class in a module of the JDK? Valid also while it is being defined. An array is where its elements are.
bool is_in_jdk_module(const Klass* klass) TOUCHES_OBJECTS;
// The JDK module of a class; null before there are modules.
Object* jdk_module_of(const Klass* klass) TOUCHES_OBJECTS;

}  // namespace keyhole
