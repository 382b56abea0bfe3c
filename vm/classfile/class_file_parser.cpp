// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a class file: its version, the class's own names and flags, and its interfaces.
#include "vm/classfile/class_file_parser.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole {

ParsedClass::ParsedClass() { memset(storage, 0, sizeof storage); }

ClassFileError parse_class_file(std::span<const u8> bytes, const ParseOptions& options, Arena& arena,
                                ParsedClass& result) {
  return classfile::Parser(bytes, options, arena, result).run();
}

namespace classfile {
namespace {

constexpr u32 class_file_magic = 0xCAFEBABE;
constexpr u16 oldest_version = 45, first_strict_minor_version = 56, preview_minor_version = 65535;

}  // namespace

ClassFileError Parser::run() {
  u32 magic = reader_.u4();
  if (reader_.overrun()) {
    fail_truncated();
    return error_;
  }
  if (magic != class_file_magic) {
    fail("Incompatible magic value {}", magic);
    return error_;
  }
  parse_version();
  if (!failed()) parse_constant_pool();
  if (!failed()) parse_class_header();
  if (!failed()) parse_interfaces();
  if (!failed()) parse_fields();
  if (!failed()) parse_methods();
  if (!failed()) parse_class_attributes();
  if (failed()) return error_;
  if (!reader_.at_end()) fail_text("Extra bytes at the end of class file {}", shown_name_);
  if (!options_.trusted && !failed()) check_duplicate_members();
  return error_;
}

void Parser::parse_version() {
  u16 minor = reader_.u2(), major = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  klass_.major_version = major;
  auto refuse = [&](const std::string& reason) { fail_with(ClassFileError::Kind::UnsupportedVersion, reason); };
  if (major < oldest_version) {
    return refuse(fmt::format("{} (class file version {}.{}) was compiled with an invalid major version", shown_name_,
                              major, minor));
  }
  if (major > newest_class_file_version) {
    return refuse(fmt::format(
        "{} has been compiled by a more recent version of the Java Runtime (class file version {}.{}), this version of "
        "the Java Runtime only recognizes class file versions up to {}.0",
        shown_name_, major, minor, newest_class_file_version));
  }
  if (major < first_strict_minor_version || minor == 0) return;
  if (minor != preview_minor_version) {
    return refuse(fmt::format("{} (class file version {}.{}) was compiled with an invalid non-zero minor version",
                              shown_name_, major, minor));
  }
  if (major != newest_class_file_version) {
    return refuse(fmt::format(
        "{} (class file version {}.{}) was compiled with preview features that are unsupported. This version of the "
        "Java Runtime only recognizes preview features for class file version {}.{}",
        shown_name_, major, minor, newest_class_file_version, preview_minor_version));
  }
  if (preview_features_enabled) return;
  refuse(fmt::format(
      "Preview features are not enabled for {} (class file version {}.{}). Try running with '--enable-preview'",
      shown_name_, major, minor));
}

void Parser::parse_class_header() {
  u32 flags = reader_.u2();
  u16 this_index = reader_.u2(), super_index = reader_.u2();
  if (reader_.overrun()) return fail_truncated();

  if (is_module(flags)) return;
  if (module_tag_ != 0) return fail("Unknown constant tag {}", module_tag_);
  flags &= class_flags;
  // Old compilers omitted ACC_ABSTRACT for interfaces.
  if ((flags & access::Interface) != 0 && klass_.major_version < 50) flags |= access::Abstract;
  check_class_flags(flags);
  if (failed()) return;
  if (!is_class(this_index)) return fail("Invalid this class index {} in constant pool", this_index);

  const Symbol* name = pool().class_name(this_index);
  if (name->length() == 0 || (*name)[0] == '[') return fail("Bad class name");
  klass_.name = name;
  result_.this_index = this_index;
  if (options_.expected_name != nullptr && options_.expected_name != name) {
    return fail_with(ClassFileError::Kind::NoClassDefFound,
                     fmt::format("{} (wrong name: {})", options_.expected_name->text(), name->text()));
  }
  shown_name_ = name->text();
  klass_.access_flags = flags;
  klass_.modifiers = flags & ~access::Super;

  if (super_index == 0) {
    if (name != names::java_lang_Object) return fail("Invalid superclass index {}", super_index);
  } else {
    if (!is_class(super_index)) return fail("Invalid superclass index {}", super_index);
    result_.super_name = pool().class_name(super_index);
    result_.super_index = super_index;
    if (result_.super_name->text().starts_with('[')) return fail("Bad superclass name");
    if (name == names::java_lang_Object) return fail("Invalid superclass index {}", super_index);
    if ((flags & access::Interface) != 0 && result_.super_name != names::java_lang_Object) {
      return fail("Interfaces must have java.lang.Object as superclass");
    }
  }
}

void Parser::parse_interfaces() {
  u16 count = reader_.u2();
  const u8* raw = reader_.take(usize{count} * 2);
  if (reader_.overrun()) return fail_truncated();
  klass_.interface_count = count;
  u16* indices = array<u16>(count);
  for (u16 i = 0; i < count; ++i) {
    indices[i] = read_u16(raw + 2 * i);
    if (!is_class(indices[i])) return fail("Interface name has bad constant pool index {}", indices[i]);
    if (pool().utf8_text(static_cast<u32>(pool().values[indices[i]])).starts_with('['))
      return fail("Bad interface name");
  }
  result_.interface_indices = indices;
}

}  // namespace classfile
}  // namespace keyhole
