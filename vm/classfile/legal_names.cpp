// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the grammar of names and descriptors.
#include "vm/classfile/legal_names.h"

#include <cstring>

namespace keyhole::classfile {
namespace {

enum class NameKind : u8 { Class, Field, Method };

// Is it an unqualified name (JVMS 4.2.2)? It has none of . ; [ and, in method names, no < >. / is allowed only between
// the parts of a class's name.
bool is_unqualified(std::string_view text, NameKind kind) {
  for (usize at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '.':
      case ';':
      case '[': return false;
      case '/':
        if (kind != NameKind::Class || at == 0 || at + 1 == text.size() || text[at + 1] == '/') return false;
        break;
      case '<':
      case '>':
        if (kind == NameKind::Method) return false;
        break;
      default: break;
    }
  }
  return !text.empty();
}

// The length of the identifier at the start; with `slashes`, of several identifiers joined by slashes. Only the very
// first character must not be a digit.
usize identifier_length(std::string_view text, bool slashes, bool allows_slash_at_end = true) {
  bool after_slash = false;
  for (usize at = 0; at < text.size(); ++at) {
    u8 c = static_cast<u8>(text[at]);
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
    bool is_inside = c >= '0' && c <= '9';
    if (slashes && c == '/') {
      if (after_slash) return 0;
      after_slash = true;
      continue;
    }
    if (!is_letter && !(at != 0 && is_inside)) return at;
    after_slash = false;
  }
  return after_slash && !allows_slash_at_end ? 0 : text.size();
}

FieldShape field_shape(std::string_view text, const NameRules* rules) {
  usize dimensions = 0;
  while (dimensions < text.size() && text[dimensions] == '[') ++dimensions;
  if (dimensions > 255) return {0, DescriptorFault::Dimensions};
  if (dimensions == text.size()) return {0, DescriptorFault::Illegal};
  std::string_view element = text.substr(dimensions);
  switch (element[0]) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z': return {dimensions + 1, DescriptorFault::None};
    case 'L': {
      usize end;
      if (rules != nullptr && rules->major_version < 49) {
        end = 1 + identifier_length(element.substr(1), true, rules->allows_slash_at_end);
        if (end == 1 || end == element.size() || element[end] != ';') return {0, DescriptorFault::Illegal};
      } else {
        end = element.find(';');
        if (end == std::string_view::npos) return {0, DescriptorFault::Illegal};
        if (rules != nullptr && !is_unqualified(element.substr(1, end - 1), NameKind::Class))
          return {0, DescriptorFault::ClassName};
        if (end == 1) return {0, DescriptorFault::Illegal};
      }
      return {dimensions + end + 1, DescriptorFault::None};
    }
    default: return {0, DescriptorFault::Illegal};
  }
}

// Computes the shape of a descriptor in one pass. Returns false if the descriptor is not legal; then the rules below
// find the fault.
bool read_shape(std::string_view text, MethodShape& shape) {
  const char *at = text.data(), *end = at + text.size();
  if (at == end || *at != '(') return false;
  u32 slots = 0, count = 0;
  for (++at; at != end && *at != ')'; ++at, ++count) {
    const char* first = at;
    while (at != end && *at == '[') ++at;
    if (at == end || at - first > 255) return false;
    BasicType type = basic_type_of_descriptor(*at);
    if (*at == 'L') {
      const char* name = at + 1;
      at = static_cast<const char*>(memchr(name, ';', static_cast<usize>(end - name)));
      if (at == nullptr || at == name) return false;
    } else if (type == BasicType::Illegal || type == BasicType::Void) {
      return false;
    }
    slots += at == first ? slot_count(type) : 1;
  }
  if (at == end) return false;
  std::string_view result = text.substr(static_cast<usize>(at + 1 - text.data()));
  if (result != "V" && (result.empty() || field_shape(result, nullptr).length != result.size())) return false;
  shape = {DescriptorFault::None, slots, count, basic_type_of_descriptor(result[0])};
  return true;
}

}  // namespace

bool is_modified_utf8(std::string_view bytes, u16 major_version) {
  bool is_strict = major_version >= 48;
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
      u32 character = (c & 0x1Fu) << 6 | (at[1] & 0x3Fu);
      if (is_strict && character != 0 && character < 0x80) return false;
      at += 2;
    } else if ((c & 0xF0) == 0xE0) {
      if (!continues(at + 1) || !continues(at + 2)) return false;
      u32 character = (c & 0xFu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
      if (is_strict && character < 0x800) return false;
      at += 3;
    } else {
      return false;
    }
  }
  return true;
}

bool NameRules::is_class_name(std::string_view text) const {
  if (major_version >= 49) return is_unqualified(text, NameKind::Class);
  return !text.empty() && identifier_length(text, true, allows_slash_at_end) == text.size();
}

bool NameRules::is_field_name(std::string_view text) const {
  if (major_version >= 49) return is_unqualified(text, NameKind::Field);
  return !text.empty() && identifier_length(text, false) == text.size();
}

bool NameRules::is_method_name(std::string_view text) const {
  if (text.starts_with('<')) return text == "<init>" || text == "<clinit>";
  if (major_version >= 49) return is_unqualified(text, NameKind::Method);
  return is_field_name(text);
}

FieldShape shape_of_field_descriptor(std::string_view text, NameRules rules) { return field_shape(text, &rules); }

MethodShape shape_of_method_descriptor(std::string_view text, const NameRules* rules) {
  MethodShape shape{DescriptorFault::Illegal, 0, 0, BasicType::Illegal};
  if (rules == nullptr && read_shape(text, shape)) return shape;
  if (!text.starts_with('(')) return shape;
  text.remove_prefix(1);
  auto next = [&](usize& length) {
    FieldShape field = field_shape(text, rules);
    length = field.length;
    if (length != 0 || field.fault == DescriptorFault::Illegal) return true;
    shape.fault = field.fault;
    return false;
  };
  usize length = 0;
  while (!text.starts_with(')')) {
    if (!next(length) || length == 0) return shape;
    shape.argument_slots += slot_count(basic_type_of_descriptor(text[0]));
    ++shape.argument_count;
    text.remove_prefix(length);
  }
  text.remove_prefix(1);
  if (text == "V") {
    shape.return_type = BasicType::Void;
  } else {
    if (text.empty() || !next(length) || length != text.size()) return shape;
    shape.return_type = basic_type_of_descriptor(text[0]);
  }
  shape.fault = DescriptorFault::None;
  return shape;
}

}  // namespace keyhole::classfile
