// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Grammar of names and descriptors.
#include "vm/classfile/legal_names.h"

namespace keyhole::classfile {
namespace {

// JVMS 4.2.2: none of . ; [ / , and for methods no < >.
bool is_unqualified(std::string_view text, bool is_method) {
  if (text.empty()) return false;
  for (char c : text) {
    if (c == '.' || c == ';' || c == '[' || c == '/') return false;
    if (is_method && (c == '<' || c == '>')) return false;
  }
  return true;
}

// Length of the field type at the start of `text`, 0 when there is none.
usize field_type_length(std::string_view text, bool check_class_names) {
  usize dimensions = 0;
  while (dimensions < text.size() && text[dimensions] == '[') ++dimensions;
  if (dimensions > 255 || dimensions == text.size()) return 0;
  switch (text[dimensions]) {
    case 'B': case 'C': case 'D': case 'F': case 'I': case 'J': case 'S': case 'Z': return dimensions + 1;
    case 'L': {
      usize end = text.find(';', dimensions);
      if (end == std::string_view::npos || end == dimensions + 1) return 0;
      if (check_class_names && !is_class_name(text.substr(dimensions + 1, end - dimensions - 1))) return 0;
      return end + 1;
    }
    default: return 0;
  }
}

}  // namespace

bool is_modified_utf8(std::string_view bytes) {
  const u8* at = reinterpret_cast<const u8*>(bytes.data());
  const u8* end = at + bytes.size();
  auto continues = [end](const u8* byte) { return byte < end && (*byte & 0xC0) == 0x80; };
  while (at < end) {
    u8 c = *at;
    if (c == 0 || c >= 0xF0) return false;
    if (c < 0x80) {
      ++at;
    } else if ((c & 0xE0) == 0xC0) {
      if (!continues(at + 1)) return false;
      at += 2;
    } else if ((c & 0xF0) == 0xE0) {
      if (!continues(at + 1) || !continues(at + 2)) return false;
      at += 3;
    } else {
      return false;
    }
  }
  return true;
}

bool is_class_name(std::string_view text) {
  while (true) {
    usize slash = text.find('/');
    if (!is_unqualified(text.substr(0, slash), false)) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

bool is_field_name(std::string_view text) { return is_unqualified(text, false); }

bool is_method_name(std::string_view text) {
  return text == "<init>" || text == "<clinit>" || is_unqualified(text, true);
}

bool is_field_descriptor(std::string_view text) {
  return !text.empty() && field_type_length(text, true) == text.size();
}

bool is_array_name(std::string_view text) { return text.starts_with('[') && is_field_descriptor(text); }

MethodShape shape_of_method_descriptor(std::string_view text, bool check_class_names) {
  MethodShape shape{false, 0, 0, BasicType::Illegal};
  if (!text.starts_with('(')) return shape;
  text.remove_prefix(1);
  while (!text.starts_with(')')) {
    usize length = field_type_length(text, check_class_names);
    if (length == 0) return shape;
    shape.argument_slots += slot_count(basic_type_of_descriptor(text[0]));
    ++shape.argument_count;
    text.remove_prefix(length);
  }
  text.remove_prefix(1);
  if (text == "V") {
    shape.return_type = BasicType::Void;
  } else {
    if (text.empty() || field_type_length(text, check_class_names) != text.size()) return shape;
    shape.return_type = basic_type_of_descriptor(text[0]);
  }
  shape.legal = true;
  return shape;
}

}  // namespace keyhole::classfile
