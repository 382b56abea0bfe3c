// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From the bytes of a class file (JVMS 4, versions 45 to 69) to constant pool, members and attributes.
//
//   bytes --parse_class_file--> ParsedClass --vm/link/class_builder--> InstanceKlass
//
// Nothing is resolved here and no Java runs. What the result points to lies in the given arena or in the bytes
// themselves, which must stay where they are for the life of the class loader.
//
// Trusted bytes (boot classes) are spared what only a hand-made file can get wrong: legality of names, flags and UTF-8,
// duplicate members. Lengths and constant-pool references are checked for everyone: no file can make the VM read
// outside it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/base/arena.h"
#include "vm/link/instance_klass.h"

namespace keyhole {

inline constexpr u16 newest_class_file_version = 69;   // Java 25

struct ClassFileError {
  enum class Kind : u8 { None, ClassFormat, UnsupportedVersion, NoClassDefFound };
  Kind kind = Kind::None;
  std::string message;
  explicit operator bool() const { return kind != Kind::None; }
};

struct ParseOptions {
  const Symbol* expected_name = nullptr;   // null: whatever the file says
  bool trusted = false;                    // boot class, or made by the VM
  ConstantPool** pools = nullptr;          // not null: symbols may be freed; the constant pool holds them, and is put
                                           // at the head of this list
};

// What the file says. `klass` has every field filled that follows from the file alone; ids, supertypes, offsets, tables
// and the methods' holder are the builder's.
struct ParsedClass {
  ParsedClass();
  InstanceKlass& klass() { return *reinterpret_cast<InstanceKlass*>(storage); }
  const Symbol* super_name = nullptr;       // null: java/lang/Object
  u16 this_index = 0, super_index = 0;
  u16 minor_version = 0;
  const u16* interface_indices = nullptr;   // constant-pool indices, klass().interface_count of them

  alignas(InstanceKlass) unsigned char storage[sizeof(InstanceKlass)];
};

ClassFileError parse_class_file(std::span<const u8> bytes, const ParseOptions& options, Arena& arena,
                                ParsedClass& result);

}  // namespace keyhole
