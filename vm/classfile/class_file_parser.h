// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a class file (JVMS 4, versions 45 to 69) into constant pool, members and attributes.
//
//   bytes --parse_class_file--> ParsedClass --vm/link/class_builder--> InstanceKlass
//
// Nothing is resolved here and no Java runs. The result points into the given arena or into the bytes themselves, which
// must stay in place for the life of the class loader.
//
// For trusted bytes (boot classes) the parser skips checks that only a hand-made file can fail: legality of names,
// flags and UTF-8, duplicate members. It always checks lengths and constant-pool references, so no file can make the VM
// read outside of it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/base/arena.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

inline constexpr u16 newest_class_file_version = 69;  // Java 25
// --enable-preview: classes of the newest version may use preview features. Written before the VM starts.
inline bool preview_features_enabled = false;

struct ClassFileError {
  enum class Kind : u8 { None, ClassFormat, UnsupportedVersion, NoClassDefFound };
  Kind kind = Kind::None;
  std::string message;
  explicit operator bool() const { return kind != Kind::None; }
};

// Rules for names that depend on the release of java, not on the version of the class file.
struct ReleaseNameRules {
  // Must <init> and <clinit> be void in every NameAndType constant, or only where a reference to a method uses it?
  bool checks_initializers_by_name = true;
  // May a class name end in a slash, in class files before version 49?
  bool allows_slash_at_end = true;
};

struct ParseOptions {
  const Symbol* expected_name = nullptr;  // null: the file's name
  bool trusted = false;                   // boot class, or made by the VM
  ReleaseNameRules release_name_rules = {};
  ConstantPool** pools = nullptr;  // not null: symbols may be freed; the constant pool holds them, and is put
                                   // at the head of this list
};

// The contents of the file. The parser sets the fields of `klass` that follow from the file alone. The builder sets
// ids, supertypes, offsets, tables and the holder of the methods.
struct ParsedClass {
  ParsedClass();
  InstanceKlass& klass() { return *reinterpret_cast<InstanceKlass*>(storage); }
  const Symbol* super_name = nullptr;  // null: java/lang/Object
  u16 this_index = 0, super_index = 0;
  const u16* interface_indices = nullptr;  // constant-pool indices, klass().interface_count of them

  alignas(InstanceKlass) unsigned char storage[sizeof(InstanceKlass)];
};

ClassFileError parse_class_file(std::span<const u8> bytes, const ParseOptions& options, Arena& arena,
                                ParsedClass& result);

}  // namespace keyhole
