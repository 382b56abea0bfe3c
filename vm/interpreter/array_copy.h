// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.arraycopy for arrays whose elements need no type check: the intrinsics of the interpreter and of the
// optimising tier.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/object/object.h"

namespace keyhole {
struct JavaThread;
}

namespace keyhole::interpreter {

// System.arraycopy without a safepoint. Returns false and copies nothing if the copy must throw or check each element.
bool copy_array(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) TOUCHES_OBJECTS;

// Copies bytes from one byte array to another. The caller has checked both ranges. Most copies are short: 8 to 16 bytes
// are copied as two words that may overlap.
KEYHOLE_ALWAYS_INLINE void copy_bytes(Object* from, i32 from_index, Object* to, i32 to_index, i32 count)
    TOUCHES_OBJECTS {
  const char* source = from->address<char>(Object::element_offset(0, static_cast<u32>(from_index)));
  char* target = to->address<char>(Object::element_offset(0, static_cast<u32>(to_index)));
  if (static_cast<u32>(count) - 8 > 8) {
    __builtin_memmove(target, source, static_cast<usize>(count));
    return;
  }
  u64 first, last;
  __builtin_memcpy(&first, source, 8);
  __builtin_memcpy(&last, source + count - 8, 8);
  __builtin_memcpy(target, &first, 8);
  __builtin_memcpy(target + count - 8, &last, 8);
}

// Copies all elements of an array of primitives to a new array of the same class and length.
KEYHOLE_ALWAYS_INLINE void copy_elements(Object* from, Object* to, u32 element_shift, i32 length) TOUCHES_OBJECTS {
  u32 offset = Object::element_offset(element_shift, 0);
  __builtin_memcpy(to->address<char>(offset), from->address<char>(offset), static_cast<usize>(length) << element_shift);
}

// Object.clone. Returns null if the thread's allocation buffer has no room, or if the object cannot be cloned, needs a
// finalizer, or is large. Then the caller calls the Java method. Reaches no safepoint.
Object* clone_if_room(JavaThread* thread, Object* object) TOUCHES_OBJECTS;

}  // namespace keyhole::interpreter
