// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What modules keep from a class (JVMS 5.4.4): public classes of packages that the JDK does not export to it.
//
// JDK modules read each other and the user's code is in unnamed modules, which read everything; so only exports of JDK modules to unnamed
// ones are asked for. Packages java.* are always exported and cost nothing.
#pragma once

#include "vm/link/instance_klass.h"

namespace keyhole {

// False, and `why` says it as HotSpot does, or an exception is pending. May call Java.
[[nodiscard]] bool module_lets_see(JavaThread* thread, const InstanceKlass* from, const Klass* target, std::string& why);

}  // namespace keyhole
