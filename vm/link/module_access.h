// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Access checks of modules (JVMS 5.4.4): a class may access a public class of another module only if its own module
// reads that module, and the package is exported to its own.
//
//   from \ target       the same module   JDK module                    declared module            unnamed module
//   JDK module          yes               yes; of a patched module      yes: by reflection only    yes: by
//                                         if read, and exported to it                              reflection only
//   declared module     yes               if read, and exported to it   if read, and exported      if read
//   unnamed module      yes               if exported                   if exported                yes
//
// Classes of the JDK need no checks among each other, because they were compiled under the same rules. Packages java.*
// of java.base are readable by all and exported to all, and cost nothing.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// False: `why` has HotSpot's text, or an exception is pending. May call Java.
[[nodiscard]] bool module_lets_see(JavaThread* thread, const InstanceKlass* from, const Klass* target, std::string& why)
    MAY_SAFEPOINT;

}  // namespace keyhole
