// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SecurityManager.checkPackageAccess for the classes to which constant pools, descriptors of reflected members and
// Class.forName refer, as HotSpot does: a class may refer to another one only if its own protection domain has access
// to that package. Libraries until 23, with a security manager; jdk.internal.loader.ClassLoaders remembers what was
// asked.
#pragma once

#include <string_view>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// False: an exception is pending, mostly SecurityException.
[[nodiscard]] bool check_package_access(JavaThread* thread, const InstanceKlass* from, const Klass* klass)
    MAY_SAFEPOINT;
// The class that a descriptor of a field or method of `from` names, with this check.
[[nodiscard]] Klass* resolve_descriptor_in(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from)
    MAY_SAFEPOINT;

}  // namespace keyhole
