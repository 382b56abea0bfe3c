// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The parser's state, shared by its parts: constant_pool.cpp, members.cpp, code_attribute.cpp, class_attributes.cpp.
//
// The first error wins: fail() records it and makes the reader return zeros, so all loops end soon.
#pragma once

#include <fmt/format.h>

#include "vm/classfile/byte_reader.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/legal_names.h"

namespace keyhole::classfile {

// The flags with a meaning (JVMS tables 4.1-B and 4.7.6-A).
inline constexpr u32 class_flags = access::Public | access::Final | access::Super | access::Interface |
                                   access::Abstract | access::Synthetic | access::Annotation | access::Enum;
inline constexpr u32 inner_class_flags = class_flags | access::Private | access::Protected | access::Static;

struct Attribute {
  std::string_view name;
  u32 length;
  const u8* content;
  const u8* end_of_file;

  // Whether the file ends before the attribute's content does. Checks of the attribute itself come before this error.
  bool is_cut() const { return length > static_cast<usize>(end_of_file - content); }
  ByteReader rest() const { return ByteReader({content, end_of_file}); }
};

// Attributes whose content the parser does not read: annotations and similar ones.
template <typename Owner> struct RawAttribute {
  std::string_view name;
  const u8* Owner::* bytes;  // null: checked, not kept
  u32 Owner::* length;
};

class Parser {
 public:
  Parser(std::span<const u8> bytes, const ParseOptions& options, Arena& arena, ParsedClass& result)
      : reader_(bytes), options_(options), arena_(arena), result_(result), klass_(result.klass()),
        shown_name_(options.expected_name != nullptr ? options.expected_name->text() : std::string_view("<Unknown>")) {}

  ClassFileError run();

 private:
  // --- the file as a whole: class_file_parser.cpp ---
  void parse_version();
  void parse_class_header();
  void parse_interfaces();

  // --- name_checks.cpp ---
  NameRules name_rules() const { return {klass_.major_version, options_.release_name_rules.allows_slash_at_end}; }
  void check_class_name(std::string_view name);
  void check_field_name(std::string_view name);
  void check_method_name(std::string_view name);
  void check_field_descriptor(std::string_view name, std::string_view descriptor);
  MethodShape check_method_descriptor(std::string_view name, std::string_view descriptor,
                                      bool initializers_are_void = true);
  bool refuse_descriptor(DescriptorFault fault);
  void refuse_signature(const char* kind, std::string_view name, std::string_view descriptor);

  // --- constant_pool.cpp ---
  void parse_constant_pool();
  void check_newer_tag(u8 tag);
  void check_constant_pool_references();
  void check_constant_pool_names();

  // --- members.cpp ---
  usize possible_members(u16 count) const;
  void parse_fields();
  void parse_field(Field& field);
  void parse_methods();
  void parse_method(Method& method);
  bool is_module(u32 flags);  // true: the file describes a module and not a class, so parsing has failed
  void check_class_flags(u32 flags);
  void check_field_flags(u32 flags);
  void check_method_flags(const Method& method, u32 written);
  void check_duplicate_members();
  void find_method_hints(Method& method);
  void parse_constant_value(Field& field, const Attribute& attribute);
  const Symbol* parse_signature(const Attribute& attribute);
  void parse_exceptions(Method& method, const Attribute& attribute);
  void parse_method_attributes(Method& method, u16 count);

  // --- code_attribute.cpp ---
  void parse_code(Method& method, const Attribute& attribute);
  void parse_code_attributes(Method& method, ByteReader& code);
  void parse_line_numbers(Method& method, const Attribute& attribute);

  // --- local_variables.cpp ---
  struct LocalVariableTables;
  bool check_local_variables(const Method& method, const Attribute& attribute, bool are_generic,
                             LocalVariableTables& tables);
  void check_duplicate_variables(const LocalVariableTables& tables);

  // --- class_attributes.cpp ---
  void parse_class_attributes();
  void parse_inner_classes(const Attribute& attribute);
  void parse_bootstrap_methods(const Attribute& attribute);
  void parse_record(const Attribute& attribute);
  void parse_record_component(RecordComponent& component, ByteReader& rest);
  void parse_enclosing_method(const Attribute& attribute);
  const u16* parse_class_list(const Attribute& attribute, u16& count, const char* what);

  // --- helpers ---
  bool failed() const { return static_cast<bool>(error_); }
  void fail_with(ClassFileError::Kind kind, std::string message) {
    if (!failed()) error_ = {kind, std::move(message)};
    reader_.abandon();
  }
  // Records a ClassFormatError whose text ends in " in class file <name>".
  template <typename... Arguments> void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fail_with(ClassFileError::Kind::ClassFormat, fmt::format(format, std::forward<Arguments>(arguments)...) +
                                                     fmt::format(" in class file {}", shown_name_));
  }
  template <typename... Arguments> void fail_text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fail_with(ClassFileError::Kind::ClassFormat, fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void fail_truncated() { fail_with(ClassFileError::Kind::ClassFormat, "Truncated class file"); }
  // Checks an attribute's length. Attributes are read without regard to their length, which is compared afterwards.
  bool check_length(const Attribute& attribute, const ByteReader& rest, fmt::format_string<> fault) {
    if (!rest.overrun() && rest.position() == attribute.content + attribute.length) [[likely]]
      return !failed();
    if (rest.overrun()) fail_truncated();
    else fail(fault);
    return false;
  }

  ConstantPool& pool() { return *klass_.constants; }
  bool index_has_tag(u32 index, ConstantTag tag) {
    return index > 0 && index < pool().count && pool().tag(index) == tag;
  }
  bool is_utf8(u32 index) { return index_has_tag(index, ConstantTag::Utf8); }
  bool is_class(u32 index) { return index_has_tag(index, ConstantTag::Class); }
  // Returns the symbol at a Utf8 index. Returns null and records an error if the constant is not a Utf8.
  const Symbol* symbol_at(u32 index) {
    if (!is_utf8(index)) {
      fail("Invalid constant pool index {}", index);
      return nullptr;
    }
    return pool().utf8(index);
  }
  // Reads the next attribute. Returns false on an error.
  bool next_attribute(ByteReader& from, fmt::format_string<u16&> name_fault, Attribute& attribute) {
    constexpr u32 header_bytes = 6;
    const u8* header = from.take(header_bytes);
    u16 name_index = header == nullptr ? u16{0} : read_u16(header);
    if (!is_utf8(name_index)) [[unlikely]]
      return refuse_attribute(header == nullptr, name_fault, name_index);
    attribute.name = pool().utf8_text(name_index);
    attribute.length = read_u32(header + 2);
    attribute.content = from.position();
    attribute.end_of_file = from.position() + from.left();
    from.take(attribute.length);
    return true;
  }
  [[gnu::noinline]] bool refuse_attribute(bool is_truncated, fmt::format_string<u16&> name_fault, u16 name_index) {
    if (is_truncated) fail_truncated();
    else fail(name_fault, name_index);
    return false;
  }
  // Checks that an attribute occurs only once. `where`: "" or " for field" or " for method".
  bool once(bool& seen, const char* name, const char* where = "") {
    if (seen) fail("Multiple {} attributes{}", name, where);
    seen = true;
    return !failed();
  }
  // Handles Synthetic and Deprecated, which have no content. Returns whether the attribute is one of them.
  bool is_marker(const Attribute& attribute, const char* place) {
    if (attribute.name != "Synthetic" && attribute.name != "Deprecated") return false;
    if (attribute.length != 0) fail("Invalid {} {} attribute length {}", attribute.name, place, attribute.length);
    return true;
  }
  // Keeps raw attributes. `seen` has a bit for each row that the owner has had so far.
  template <typename Owner, usize count>
  void keep_raw(const Attribute& attribute, Owner& owner, const RawAttribute<Owner> (&known)[count], u32& seen,
                const char* where) {
    for (u32 row = 0; row < count; ++row) {
      const RawAttribute<Owner>& raw = known[row];
      if (raw.name != attribute.name) continue;
      bool was_seen = (seen >> row & 1) != 0;
      if (!once(was_seen, raw.name.data(), where)) return;
      seen |= 1u << row;
      if (attribute.is_cut()) fail_truncated();
      else if (raw.bytes != nullptr) owner.*raw.length = attribute.length, owner.*raw.bytes = attribute.content;
      return;
    }
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
  u8 module_tag_ = 0;  // tag of Module or Package, which only a module-info has
};

}  // namespace keyhole::classfile
