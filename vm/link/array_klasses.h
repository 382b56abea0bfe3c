// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The start of array and primitive types, and what the tiers compare with; what others ask for is in vm/link/linker.h.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// After Object, Class, Cloneable and Serializable have been loaded.
[[nodiscard]] bool make_primitive_klasses(JavaThread* thread) MAY_SAFEPOINT;

// Of boolean[], which bastore tells from byte[]. Set by make_primitive_klasses.
inline u32 boolean_array_klass_id = 0;

}  // namespace keyhole
