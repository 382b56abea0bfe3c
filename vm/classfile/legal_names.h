// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Legality of names and descriptors (JVMS 4.2, 4.3) and of modified UTF-8 (JVMS 4.4.7).
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::classfile {

// Returns whether the text is legal modified UTF-8. From version 48 on, each character must have its shortest form.
bool is_modified_utf8(std::string_view bytes, u16 major_version);

// Rules for names by the version of the class file. Before 49 the parts of a name are identifiers of the language;
// since then (JVMS 4.2) a few characters are excluded. Characters beyond ASCII count as letters.
struct NameRules {
  u16 major_version;
  bool allows_slash_at_end;

  // Returns whether the text is a class name in internal form: unqualified names joined by '/'. Names of array classes
  // do not count.
  bool is_class_name(std::string_view text) const;
  bool is_field_name(std::string_view text) const;
  // Returns whether the text is a method name. <init> and <clinit> are legal.
  bool is_method_name(std::string_view text) const;
};

enum class DescriptorFault : u8 { None, Illegal, ClassName, Dimensions };

struct FieldShape {
  usize length;  // returns the length of the field type at the start of a text, or 0 if there is none
  DescriptorFault fault;
};
FieldShape shape_of_field_descriptor(std::string_view text, NameRules rules);

struct MethodShape {
  DescriptorFault fault;
  u32 argument_slots;  // without `this`
  u32 argument_count;
  BasicType return_type;
};
// Reads a method descriptor's shape. Without rules, the names inside L...; are not checked.
MethodShape shape_of_method_descriptor(std::string_view text, const NameRules* rules);

}  // namespace keyhole::classfile
