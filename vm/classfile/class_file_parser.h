// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From the bytes of a class file (JVMS 4, versions 45 to 69) to constant pool, members and attributes.
//
//   bytes --parse_class_file--> ParsedClass --vm/link/class_builder--> InstanceKlass
//
// Nothing is resolved here and no Java runs. The result points into the given arena or into the bytes themselves, which
// must stay in place for the life of the class loader.
//
// For trusted bytes (boot classes) checks are skipped that only a hand-made file can fail: legality of names, flags and
// UTF-8, duplicate members. Lengths and constant-pool references are always checked: no file can make the VM read
// outside it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/base/arena.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

inline constexpr u16 newest_class_file_version = 69;  // Java 25
// --enable-preview: classes of that version may use preview features. Written before the VM starts.
inline bool preview_features_enabled = false;

struct ClassFileError {
  enum class Kind : u8 { None, ClassFormat, UnsupportedVersion, NoClassDefFound };
  Kind kind = Kind::None;
  std::string message;
  explicit operator bool() const { return kind != Kind::None; }
};

// Rules for names that depend on the release of java, not on the version of the class file.
struct ReleaseNameRules {
  // Of a constant for a name and type, a method named <init> or <clinit> must be void; otherwise only of references.
  bool checks_initializers_by_name = true;
  // Before version 49 of class files: a class name that ends in a slash.
  bool allows_slash_at_end = true;
};

struct ParseOptions {
  const Symbol* expected_name = nullptr;  // null: the file's name
  bool trusted = false;                   // boot class, or made by the VM
  ReleaseNameRules release_name_rules = {};
  ConstantPool** pools = nullptr;  // not null: symbols may be freed; the constant pool holds them, and is put
                                   // at the head of this list
};

// The contents of the file. Fields of `klass` that follow from the file alone are set; the builder sets ids,
// supertypes, offsets, tables and the methods' holder.
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
