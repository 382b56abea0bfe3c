// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The parser's state, shared by its parts: constant_pool.cpp, members.cpp, code_attribute.cpp, class_attributes.cpp.
//
// The first error wins: fail() records it and abandons the reader, so all loops run out at once.
#pragma once

#include <fmt/format.h>

#include "vm/classfile/byte_reader.h"
#include "vm/classfile/class_file_parser.h"

namespace keyhole::classfile {

// The relevant flags (JVMS tables 4.1-B and 4.7.6-A).
inline constexpr u32 class_flags = access::Public | access::Final | access::Super | access::Interface |
                                   access::Abstract | access::Synthetic | access::Annotation | access::Enum;
inline constexpr u32 inner_class_flags = class_flags | access::Private | access::Protected | access::Static;

class Parser {
 public:
  Parser(std::span<const u8> bytes, const ParseOptions& options, Arena& arena, ParsedClass& result)
      : reader_(bytes), options_(options), arena_(arena), result_(result), klass_(result.klass()),
        shown_name_(options.expected_name != nullptr ? options.expected_name->text() : std::string_view("Unknown")) {}

  ClassFileError run();

 private:
  // --- the file as a whole: class_file_parser.cpp ---
  void parse_version();
  void parse_class_header();
  void parse_interfaces();

  // --- constant_pool.cpp ---
  void parse_constant_pool();
  void check_constant_pool_references();
  void check_constant_pool_names();

  // --- members.cpp ---
  void parse_fields();
  void parse_field(Field& field);
  void parse_methods();
  void parse_method(Method& method);
  bool is_module(u32 flags);   // then it is not a class, and the parse has failed
  void check_class_flags(u32 flags);
  void check_field_flags(u32 flags);
  void check_method_flags(const Method& method);
  void check_duplicate_members();
  void find_method_hints(Method& method);
  void parse_constant_value(Field& field, ByteReader attribute);

  // --- code_attribute.cpp ---
  void parse_code(Method& method, ByteReader attribute);
  void parse_code_attributes(Method& method, ByteReader& attribute);
  void parse_line_numbers(Method& method, ByteReader table);

  // --- class_attributes.cpp ---
  void parse_class_attributes();
  void parse_inner_classes(ByteReader attribute);
  void parse_bootstrap_methods(ByteReader attribute);
  void parse_record(ByteReader attribute);
  void parse_enclosing_method(ByteReader attribute);
  const u16* parse_class_list(ByteReader attribute, u16& count, const char* what);

  // --- helpers ---
  bool failed() const { return static_cast<bool>(error_); }
  void fail_with(ClassFileError::Kind kind, std::string message) {
    if (!failed()) error_ = {kind, std::move(message)};
    reader_.abandon();
  }
  // A ClassFormatError whose text ends in " in class file <name>".
  template <typename... Arguments> void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fail_with(ClassFileError::Kind::ClassFormat, fmt::format(format, std::forward<Arguments>(arguments)...) +
                                                     fmt::format(" in class file {}", shown_name_));
  }
  template <typename... Arguments> void fail_text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fail_with(ClassFileError::Kind::ClassFormat, fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void fail_truncated() { fail_with(ClassFileError::Kind::ClassFormat, "Truncated class file"); }
  // An attribute whose length is smaller than its contents.
  bool check_whole(const ByteReader& attribute, const char* name) {
    if (attribute.overrun() || !attribute.at_end()) fail("{} attribute has wrong length", name);
    return !failed();
  }

  ConstantPool& pool() { return *klass_.constants; }
  bool index_has_tag(u32 index, ConstantTag tag) {
    return index > 0 && index < pool().count && pool().tag(index) == tag;
  }
  bool is_utf8(u32 index) { return index_has_tag(index, ConstantTag::Utf8); }
  bool is_class(u32 index) { return index_has_tag(index, ConstantTag::Class); }
  // Symbol at a Utf8 index; null and an error when it is none.
  const Symbol* symbol_at(u32 index) {
    if (!is_utf8(index)) { fail("Invalid constant pool index {}", index); return nullptr; }
    return pool().utf8(index);
  }
  // Next attribute: its name as raw text, and a reader of its content. False at an error.
  bool next_attribute(ByteReader& from, std::string_view& name, ByteReader& content) {
    u16 name_index = from.u2();
    u32 length = from.u4();
    content = from.sub(length);
    if (from.overrun()) { fail_truncated(); return false; }
    if (!is_utf8(name_index)) { fail("Invalid attribute name index {}", name_index); return false; }
    name = pool().utf8_text(name_index);
    return true;
  }
  static void keep_raw(ByteReader content, const u8*& bytes, u32& length) {
    length = static_cast<u32>(content.left());
    bytes = content.position();
  }
  template <typename T> T* array(usize count) { return count == 0 ? nullptr : arena_.create_array<T>(count); }

  ByteReader reader_;
  const ParseOptions& options_;
  Arena& arena_;
  ParsedClass& result_;
  InstanceKlass& klass_;
  std::string_view shown_name_;
  ClassFileError error_;
  bool has_dynamic_constants_ = false;
  u16 largest_bootstrap_index_ = 0;
};

}  // namespace keyhole::classfile
