// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Legality of names and descriptors (JVMS 4.2, 4.3) and of modified UTF-8 (JVMS 4.4.7).
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::classfile {

bool is_modified_utf8(std::string_view bytes);
// Internal form: parts of an unqualified name each, joined by '/'. Array names are not class names here.
bool is_class_name(std::string_view text);
bool is_field_name(std::string_view text);
// <init> and <clinit> are legal too.
bool is_method_name(std::string_view text);
bool is_field_descriptor(std::string_view text);

struct MethodShape {
  bool legal;
  u32 argument_slots;    // without `this`
  u32 argument_count;
  BasicType return_type;
};
// check_class_names: also look inside L...; (the shape is right without).
MethodShape shape_of_method_descriptor(std::string_view text, bool check_class_names);
// An array class's name: '[' and a field descriptor of at most 255 dimensions.
bool is_array_name(std::string_view text);

}  // namespace keyhole::classfile
