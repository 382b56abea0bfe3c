// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The types of the values of graphs.
#pragma once

#include <string_view>

#include "runtime/base/check.h"
#include "runtime/base/types.h"

namespace keyhole::graph {

enum class Type : u8 { None, Int, Long, Float, Double, Reference };

constexpr std::string_view name_of(Type type) {
  constexpr std::string_view names[] = {"none", "int", "long", "float", "double", "reference"};
  return names[static_cast<u32>(type)];
}
// Whether a value of the type takes two slots of a frame; the value itself is in the upper one.
constexpr bool is_wide(Type type) { return type == Type::Long || type == Type::Double; }

// The type for a letter of vm/bytecodes.def.
constexpr Type type_of_letter(char letter) {
  switch (letter) {
    case 'i': return Type::Int;
    case 'l': return Type::Long;
    case 'f': return Type::Float;
    case 'd': return Type::Double;
    case 'a': return Type::Reference;
    default: return Type::None;
  }
}
// The type that a value has on the operand stack, by the first character of its descriptor.
constexpr Type type_of_descriptor(char character) {
  switch (character) {
    case 'J': return Type::Long;
    case 'F': return Type::Float;
    case 'D': return Type::Double;
    case 'L':
    case '[': return Type::Reference;
    case 'V': return Type::None;
    default: return Type::Int;
  }
}

}  // namespace keyhole::graph
