// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Spelling of types, and from descriptors to types.
#include "vm/verify/verification_type.h"

#include <fmt/format.h>

#include "runtime/base/types.h"

namespace keyhole {

VerificationType type_of_descriptor(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'F': return TypeTag::Float;
    case 'J': return TypeTag::Long;
    case 'D': return TypeTag::Double;
    case 'V': return TypeTag::Top;
    case 'L': return VerificationType::reference(Symbol::intern(descriptor.substr(1, descriptor.size() - 2)));
    case '[': return VerificationType::reference(Symbol::intern(descriptor));
    default: return TypeTag::Int;
  }
}

VerificationType VerificationType::component() const { return type_of_descriptor(name()->text().substr(1)); }

std::string VerificationType::text() const {
  switch (tag()) {
    case TypeTag::Top: return "top";
    case TypeTag::Int: return "integer";
    case TypeTag::Float: return "float";
    case TypeTag::Long: return "long";
    case TypeTag::LongUpper: return "long_2nd";
    case TypeTag::Double: return "double";
    case TypeTag::DoubleUpper: return "double_2nd";
    case TypeTag::Null: return "null";
    case TypeTag::UninitializedThis: return "uninitializedThis";
    case TypeTag::Uninitialized: return fmt::format("uninitialized {}", bci());
    case TypeTag::Reference: return fmt::format("'{}'", name()->text());
    case TypeTag::ReturnAddress: return "returnAddress";
    case TypeTag::AnyReference: return "reference type";
    case TypeTag::Category1: return "category1 type";
    case TypeTag::Category2: return "category2 type";
    case TypeTag::Category2Upper: return "category2_2nd type";
  }
  return "?";
}

}  // namespace keyhole
