// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Skips annotation values.
#include "vm/classfile/annotations.h"

namespace keyhole::classfile {
namespace {
constexpr u32 deepest_nesting = 64;
}

bool skip_element_value(ByteReader& reader, u32 depth) {
  if (depth > deepest_nesting) return false;
  switch (reader.u1()) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
    case 's':
    case 'c': reader.u2(); break;
    case 'e': reader.u4(); break;
    case '@': reader.u2(); return skip_annotation_body(reader, depth + 1);
    case '[':
      for (u32 count = reader.u2(); count > 0; --count)
        if (!skip_element_value(reader, depth + 1)) return false;
      break;
    default: return false;
  }
  return !reader.overrun();
}

// Skips the pairs of name and value that follow an annotation's type index.
bool skip_annotation_body(ByteReader& reader, u32 depth) {
  for (u32 pairs = reader.u2(); pairs > 0; --pairs) {
    reader.u2();
    if (!skip_element_value(reader, depth)) return false;
  }
  return !reader.overrun();
}

}  // namespace keyhole::classfile
