// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The computations of java.lang.String's methods, shared by the interpreter's intrinsics and the bitcode of
// jit/snippets.
//
//   String   value: the bytes; null only while a constructor runs, or in an instance made by Unsafe
//            coder: 0: one byte per char (Latin-1); 1: two bytes per char (UTF-16)
//
// A function that returns false has changed nothing, and the method's bytecode must run. The functions reach no
// safepoint.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/object/object.h"
#include "vm/link/well_known.h"

namespace keyhole::interpreter::strings {

KEYHOLE_ALWAYS_INLINE u8 coder(const Object* string) TOUCHES_OBJECTS {
  return string->get<u8>(well_known::String_coder);
}
KEYHOLE_ALWAYS_INLINE const Object* value_of(const Object* string) TOUCHES_OBJECTS {
  return string->get_reference(well_known::String_value);
}
KEYHOLE_ALWAYS_INLINE const u8* bytes_of(const Object* array) {
  return reinterpret_cast<const u8*>(array) + Object::element_offset(0, 0);
}

KEYHOLE_ALWAYS_INLINE bool length(const Object* string, u32& chars) TOUCHES_OBJECTS {
  const Object* value = value_of(string);
  if (value == nullptr) [[unlikely]]
    return false;
  chars = static_cast<u32>(value->length()) >> coder(string);
  return true;
}

KEYHOLE_ALWAYS_INLINE bool char_at(const Object* string, i32 index, u32& unit) TOUCHES_OBJECTS {
  u32 at = static_cast<u32>(index), shift = coder(string);
  const Object* value = value_of(string);
  if (value == nullptr || at >= static_cast<u32>(value->length()) >> shift) [[unlikely]]
    return false;
  unit = bytes_of(value)[at << shift];
  if (shift != 0) unit |= u32{bytes_of(value)[at * 2 + 1]} << 8;
  return true;
}

// Compares eight bytes at a time, then the rest one by one.
KEYHOLE_ALWAYS_INLINE bool equals(const Object* left, const Object* right, bool& equal) TOUCHES_OBJECTS {
  equal = left == right;
  if (equal || right == nullptr || left->klass_id() != right->klass_id() || coder(left) != coder(right)) return true;
  const Object* left_value = value_of(left);
  const Object* right_value = value_of(right);
  if (left_value == nullptr || right_value == nullptr) [[unlikely]]
    return false;
  u32 length = static_cast<u32>(left_value->length());
  if (length != static_cast<u32>(right_value->length())) return true;
  const u8* a = bytes_of(left_value);
  const u8* b = bytes_of(right_value);
  u32 at = 0;
  for (; at + 8 <= length; at += 8) {
    u64 x, y;
    __builtin_memcpy(&x, a + at, 8);
    __builtin_memcpy(&y, b + at, 8);
    if (x != y) return true;
  }
  for (; at < length; ++at) {
    if (a[at] != b[at]) return true;
  }
  equal = true;
  return true;
}

// StringLatin1.hashCode of a byte array that is not null.
KEYHOLE_ALWAYS_INLINE u32 latin1_hash_code(const Object* value) TOUCHES_OBJECTS {
  const u8* bytes = bytes_of(value);
  u32 hash = 0;
  u32 at = 0, length = static_cast<u32>(value->length());
  // Hashes four bytes at a time, because the multiplications of the four bytes do not depend on each other.
  for (; at + 4 <= length; at += 4) {
    hash = hash * (31u * 31 * 31 * 31) + bytes[at] * (31u * 31 * 31) + bytes[at + 1] * (31u * 31) +
           bytes[at + 2] * 31u + bytes[at + 3];
  }
  for (; at < length; ++at) hash = hash * 31 + bytes[at];
  return hash;
}

}  // namespace keyhole::interpreter::strings
