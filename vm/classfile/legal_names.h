// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Legality of names and descriptors (JVMS 4.2, 4.3) and of modified UTF-8 (JVMS 4.4.7).
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::classfile {

// From version 48 each character has its shortest form.
bool is_modified_utf8(std::string_view bytes, u16 major_version);

// The rules for names depend on the version of the class file: before 49 the parts of a name are identifiers of the
// language, since then (JVMS 4.2) any text without a few characters. Characters beyond ASCII count as letters.
struct NameRules {
  u16 major_version;
  bool allows_slash_at_end;

  // Internal form: parts of an unqualified name each, joined by '/'. Array names are not class names here.
  bool is_class_name(std::string_view text) const;
  bool is_field_name(std::string_view text) const;
  // <init> and <clinit> are legal too.
  bool is_method_name(std::string_view text) const;
};

enum class DescriptorFault : u8 { None, Illegal, ClassName, Dimensions };

struct FieldShape {
  usize length;  // of the field type at the start of a text, 0: none
  DescriptorFault fault;
};
FieldShape shape_of_field_descriptor(std::string_view text, NameRules rules);

struct MethodShape {
  DescriptorFault fault;
  u32 argument_slots;  // without `this`
  u32 argument_count;
  BasicType return_type;
};
// No rules: the names inside L...; are not looked at.
MethodShape shape_of_method_descriptor(std::string_view text, const NameRules* rules);

}  // namespace keyhole::classfile
