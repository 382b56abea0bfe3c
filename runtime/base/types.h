// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixed-width names used everywhere, and the Java basic types with their sizes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace keyhole {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;
using uptr = std::uintptr_t;
using usize = std::size_t;

inline constexpr usize operator""_KiB(unsigned long long n) { return n << 10; }
inline constexpr usize operator""_MiB(unsigned long long n) { return n << 20; }
inline constexpr usize operator""_GiB(unsigned long long n) { return n << 30; }

// The codes 4..11 are those of `newarray` (JVMS 6.5.newarray); the others follow.
enum class BasicType : u8 {
  Boolean = 4,
  Char = 5,
  Float = 6,
  Double = 7,
  Byte = 8,
  Short = 9,
  Int = 10,
  Long = 11,
  Reference = 12,
  Void = 13,
  Illegal = 14,
};

// The size of a field or array element of this type in the heap, as log2 of bytes. References are 32 bits wide.
constexpr u32 element_shift(BasicType type) {
  switch (type) {
    case BasicType::Boolean:
    case BasicType::Byte: return 0;
    case BasicType::Char:
    case BasicType::Short: return 1;
    case BasicType::Long:
    case BasicType::Double: return 3;
    default: return 2;
  }
}

// Slots on the Java stack: two for long and double (category 2), none for void.
constexpr u32 slot_count(BasicType type) {
  return type == BasicType::Void ? 0 : (type == BasicType::Long || type == BasicType::Double) ? 2 : 1;
}

// The type that the first character of a field descriptor means (JVMS 4.3.2); Illegal for any other character.
constexpr BasicType basic_type_of_descriptor(char c) {
  switch (c) {
    case 'Z': return BasicType::Boolean;
    case 'C': return BasicType::Char;
    case 'F': return BasicType::Float;
    case 'D': return BasicType::Double;
    case 'B': return BasicType::Byte;
    case 'S': return BasicType::Short;
    case 'I': return BasicType::Int;
    case 'J': return BasicType::Long;
    case 'V': return BasicType::Void;
    case 'L':
    case '[': return BasicType::Reference;
    default: return BasicType::Illegal;
  }
}

template <typename T> constexpr T align_up(T value, u64 alignment) {
  return static_cast<T>((static_cast<u64>(value) + alignment - 1) & ~(alignment - 1));
}

}  // namespace keyhole
