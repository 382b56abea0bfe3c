// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The start of array and primitive types; what others ask for is in vm/link/linker.h.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// After Object, Class, Cloneable and Serializable have been loaded.
[[nodiscard]] bool make_primitive_klasses(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
