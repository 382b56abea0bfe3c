// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Integers as Integer.valueOf gives them: small numbers have one object each, in the cache of Integer$IntegerCache.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::boxes {

inline constexpr i32 first_cached = -128;

// The number of cached boxes. It is known once the cache's class is initialised, and does not change.
u32 cached_count() TOUCHES_OBJECTS;
// Does what Integer.valueOf does. Null: an exception is pending.
Object* value_of(JavaThread* thread, i32 number) MAY_SAFEPOINT;

}  // namespace keyhole::boxes
