// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The verifier's types (JVMS 4.10.1.2) in one word: a tag, and for some a payload.
//
//                                     Top
//        +-----+-------+-------+--------+-----------------+----------------------+
//       Int  Float  Long(+Upper) Double(+Upper)       reference            ReturnAddress(context)
//                                        +----------------+-------------+
//                              Uninitialized(bci)  UninitializedThis  Object
//                                                                       |  classes and arrays by name
//                                                                     Null
//
// A name is a symbol of the verified class, of a class loaded for it, or one that TypeHierarchy holds: types do not
// outlive these. A long or double is two types in two slots, with the Upper one above. The queries in the enum are not
// types of values: they occur only as wanted types.
#pragma once

#include <string>

#include "runtime/base/symbol.h"

namespace keyhole {

enum class TypeTag : u8 {
  Top,
  Int,
  Float,
  Long,
  LongUpper,
  Double,
  DoubleUpper,
  Null,
  UninitializedThis,
  Uninitialized,
  Reference,
  ReturnAddress,
  // queries
  AnyReference,
  Boolean,  // these four are an int, in a method's signature
  Byte,
  Char,
  Short,
  Category1,
  Category2,
  Category2Upper,
};

class VerificationType {
 public:
  constexpr VerificationType() = default;
  constexpr VerificationType(TypeTag tag) : raw_(static_cast<u64>(tag)) {}
  static constexpr VerificationType top() { return TypeTag::Top; }
  static VerificationType reference(const Symbol* name) {
    return VerificationType(TypeTag::Reference, reinterpret_cast<u64>(name));
  }
  static constexpr VerificationType uninitialized(u32 new_bci) {
    return VerificationType(TypeTag::Uninitialized, new_bci);
  }
  static constexpr VerificationType return_address(u32 context) {
    return VerificationType(TypeTag::ReturnAddress, context);
  }

  constexpr TypeTag tag() const { return static_cast<TypeTag>(raw_ & 0xFF); }
  const Symbol* name() const { return reinterpret_cast<const Symbol*>(raw_ >> 8); }  // Reference
  constexpr u32 bci() const { return static_cast<u32>(raw_ >> 8); }                  // Uninitialized
  constexpr u32 context() const { return static_cast<u32>(raw_ >> 8); }              // ReturnAddress

  constexpr bool is(TypeTag tag) const { return this->tag() == tag; }
  constexpr bool is_reference() const { return is(TypeTag::Reference) || is(TypeTag::Null); }
  constexpr bool is_uninitialized() const { return is(TypeTag::Uninitialized) || is(TypeTag::UninitializedThis); }
  constexpr bool is_return_address() const { return is(TypeTag::ReturnAddress); }
  constexpr bool is_category2() const { return is(TypeTag::Long) || is(TypeTag::Double); }
  constexpr bool is_category2_upper() const { return is(TypeTag::LongUpper) || is(TypeTag::DoubleUpper); }
  constexpr bool is_category1() const { return !is(TypeTag::Top) && !is_category2() && !is_category2_upper(); }
  constexpr VerificationType upper() const { return is(TypeTag::Long) ? TypeTag::LongUpper : TypeTag::DoubleUpper; }
  bool is_array() const { return is(TypeTag::Reference) && (*name())[0] == '['; }
  bool is_object() const { return is(TypeTag::Reference) && (*name())[0] != '['; }
  // Is it an array of this element type? null is accepted as any array.
  bool is_array_of(char element) const { return is(TypeTag::Null) || (is_array() && (*name())[1] == element); }
  bool is_array_of_references() const { return is_array_of('L') || is_array_of('['); }
  // The type as HotSpot's messages spell it: integer, 'java/lang/String', uninitialized 4 ...
  std::string text() const;

  friend constexpr bool operator==(VerificationType, VerificationType) = default;

 private:
  constexpr VerificationType(TypeTag tag, u64 payload) : raw_(static_cast<u64>(tag) | payload << 8) {}
  u64 raw_ = 0;
};

}  // namespace keyhole
