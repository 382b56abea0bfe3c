// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Initialisation of array and primitive types, and constants for the tiers; the public interface is in
// vm/link/linker.h.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// Makes the primitive types and their arrays. Called after Object, Class, Cloneable and Serializable have been loaded.
[[nodiscard]] bool make_primitive_klasses(JavaThread* thread) MAY_SAFEPOINT;

// The id of boolean[], which bastore must distinguish from byte[]. Set by make_primitive_klasses.
inline u32 boolean_array_klass_id = 0;

}  // namespace keyhole
