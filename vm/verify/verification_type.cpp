// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Spells types for messages.
#include "vm/verify/verification_type.h"

#include <fmt/format.h>

#include "runtime/base/types.h"

namespace keyhole {

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
    case TypeTag::Boolean: return "boolean";
    case TypeTag::Byte: return "byte";
    case TypeTag::Char: return "char";
    case TypeTag::Short: return "short";
    case TypeTag::Category1: return "category1 type";
    case TypeTag::Category2: return "category2 type";
    case TypeTag::Category2Upper: return "category2_2nd type";
  }
  return "?";
}

}  // namespace keyhole
