// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The points of System.arraycopy and Object.clone (runtime/threads/points.h): one stop, and an event for each variable
// that is read or written, but for no more than 1,024 elements of an array, because a schedule has room for a million
// events. The detector of data races sees each of these accesses.
#pragma once

#include "runtime/threads/points.h"

namespace keyhole::natives {

void stop_before_copy(JavaThread* thread, Object* source, i32 from_index, Object* target, i32 to_index, i32 count)
    TOUCHES_OBJECTS;
void stop_before_clone(JavaThread* thread, Object* source) TOUCHES_OBJECTS;

// Called before elements are copied between arrays, after all checks of indexes.
inline void before_copy(JavaThread* thread, Object* source, i32 from_index, Object* target, i32 to_index, i32 count)
    TOUCHES_OBJECTS {
  if (controlled::is_exploring() || races::is_on()) [[unlikely]]
    stop_before_copy(thread, source, from_index, target, to_index, count);
}
// Called before the fields or elements of an object are copied into a new object.
inline void before_clone(JavaThread* thread, Object* source) TOUCHES_OBJECTS {
  if (controlled::is_exploring() || races::is_on()) [[unlikely]]
    stop_before_clone(thread, source);
}

}  // namespace keyhole::natives
