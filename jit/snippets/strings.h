// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String snippets: methods of java.lang.String, compiled from the same C++ as the interpreter's.
#pragma once

#include "jit/snippets/declarations.h"
#include "vm/interpreter/string_intrinsics.h"

namespace keyhole {

KEYHOLE_SNIPPET i64 snippet_string_length(Object* string) {
  u32 chars;
  return interpreter::strings::length(string, chars) ? i64{chars} : -1;
}
KEYHOLE_SNIPPET i64 snippet_string_char_at(Object* string, i32 index) {
  u32 unit;
  return interpreter::strings::char_at(string, index, unit) ? i64{unit} : -1;
}
KEYHOLE_SNIPPET i64 snippet_string_equals(Object* string, Object* other) {
  bool equal;
  return interpreter::strings::equals(string, other, equal) ? i64{equal} : -1;
}
KEYHOLE_SNIPPET u32 snippet_latin1_hash_code(Object* bytes) { return interpreter::strings::latin1_hash_code(bytes); }

}  // namespace keyhole
