// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the VM stores about the JDK's modules: java.base's version. Other modules: vm/link/declared_modules.h.
#pragma once

#include "runtime/object/object.h"

namespace keyhole::natives {

// The version string given when java.base was defined, or null.
Object* java_base_version() TOUCHES_OBJECTS;

}  // namespace keyhole::natives
