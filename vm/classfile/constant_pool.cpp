// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the constant pool (JVMS 4.4) in two passes: first the entries, then the entries to which they refer. Text stays
// in the file until it is used.
#include "vm/metadata/constant_pool.h"

#include <cstring>
#include <utility>

#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole {
namespace classfile {
namespace {

// The version of class files that introduced a tag.
u16 first_version_of(ConstantTag tag) {
  switch (tag) {
    case ConstantTag::MethodHandle:
    case ConstantTag::MethodType:
    case ConstantTag::InvokeDynamic: return 51;
    case ConstantTag::Dynamic: return 55;
    default: return 45;
  }
}

}  // namespace

// Checks a tag that class files of version 45 do not have.
void Parser::check_newer_tag(u8 tag) {
  if (tag == 0 || tag > 20 || tag == 2 || tag == 13 || tag == 14) return fail("Unknown constant tag {}", tag);
  ConstantTag known = static_cast<ConstantTag>(tag);
  if (known == ConstantTag::Module || known == ConstantTag::Package) {
    if (klass_.major_version < 53) return fail("Unknown constant tag {}", tag);
    module_tag_ = tag;
  }
  if (klass_.major_version < first_version_of(known)) fail("Class file version does not support constant tag {}", tag);
}

void Parser::parse_constant_pool() {
  u16 count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  if (count == 0) return fail("Illegal constant pool size {}", count);
  klass_.constants = arena_.create<ConstantPool>();
  pool().count = count;
  if (options_.pools != nullptr) {
    pool().holds_symbols = true;
    pool().next = std::exchange(*options_.pools, &pool());
  }
  // Allocates one additional entry, for the name of a hidden class (vm/link/loading/class_builder.cpp).
  pool().values = array<u64>(count + 1u);
  pool().resolved = array<std::atomic<u64>>(count);
  pool().tags = static_cast<u8*>(arena_.allocate(count + 1u, 1));

  for (u32 i = 1; i < count; ++i) {
    u8 tag = reader_.u1();
    u64 value = 0;
    switch (static_cast<ConstantTag>(tag)) {
      case ConstantTag::Utf8: {
        const u8* start = reader_.position();
        u16 length = reader_.u2();
        const u8* text = reader_.take(length);
        if (text == nullptr) break;
        if (!options_.trusted &&
            !is_modified_utf8({reinterpret_cast<const char*>(text), length}, klass_.major_version)) {
          return fail("Illegal UTF8 string in constant pool");
        }
        value = reinterpret_cast<u64>(start) | ConstantPool::unread_text;
        break;
      }
      case ConstantTag::Integer:
      case ConstantTag::Float: value = reader_.u4(); break;
      case ConstantTag::Long:
      case ConstantTag::Double: {
        u64 high = reader_.u4();
        value = high << 32 | reader_.u4();
        if (i + 1 >= count && !reader_.overrun()) return fail("Invalid constant pool entry {}", i);
        break;
      }
      case ConstantTag::Class:
      case ConstantTag::String:
      case ConstantTag::MethodType:
      case ConstantTag::Module:
      case ConstantTag::Package: value = reader_.u2(); break;
      case ConstantTag::Fieldref:
      case ConstantTag::Methodref:
      case ConstantTag::InterfaceMethodref:
      case ConstantTag::NameAndType:
      case ConstantTag::Dynamic:
      case ConstantTag::InvokeDynamic: {
        u64 first = reader_.u2();
        value = first << 16 | reader_.u2();
        break;
      }
      case ConstantTag::MethodHandle: {
        u64 kind = reader_.u1();
        value = kind << 16 | reader_.u2();
        break;
      }
      default: break;
    }
    if (reader_.overrun()) return fail_truncated();
    constexpr u8 last_of_version_45 = static_cast<u8>(ConstantTag::NameAndType);
    if (tag == 0 || tag == 2 || tag > last_of_version_45) {
      check_newer_tag(tag);
      if (failed()) return;
    }
    pool().tags[i] = tag;
    pool().values[i] = value;
    bool takes_two = tag == static_cast<u8>(ConstantTag::Long) || tag == static_cast<u8>(ConstantTag::Double);
    if (takes_two) ++i;
  }
  check_constant_pool_references();
  if (!options_.trusted && !failed()) check_constant_pool_names();
}

void Parser::check_constant_pool_references() {
  ConstantPool& p = pool();
  auto expect = [&](u32 index, ConstantTag tag) {
    if (!index_has_tag(index, tag)) fail("Invalid constant pool index {}", index);
  };
  for (u32 i = 1; i < p.count && !failed(); ++i) {
    switch (p.tag(i)) {
      case ConstantTag::Class:
      case ConstantTag::String:
      case ConstantTag::MethodType: expect(static_cast<u32>(p.values[i]), ConstantTag::Utf8); break;
      case ConstantTag::Fieldref:
      case ConstantTag::Methodref:
      case ConstantTag::InterfaceMethodref:
        expect(p.first(i), ConstantTag::Class);
        expect(p.second(i), ConstantTag::NameAndType);
        break;
      case ConstantTag::NameAndType:
        expect(p.first(i), ConstantTag::Utf8);
        expect(p.second(i), ConstantTag::Utf8);
        break;
      case ConstantTag::Dynamic:
      case ConstantTag::InvokeDynamic:
        // The bootstrap method's index is checked when the attribute BootstrapMethods has been read.
        has_dynamic_constants_ = true;
        if (p.first(i) > largest_bootstrap_index_) largest_bootstrap_index_ = static_cast<u16>(p.first(i));
        expect(p.second(i), ConstantTag::NameAndType);
        break;
      case ConstantTag::MethodHandle: {
        u32 kind = p.first(i), index = p.second(i);
        if (index == 0 || index >= p.count) return fail("Invalid constant pool index {}", index);
        if (kind < 1 || kind > 9) return fail("Bad method handle kind at constant pool index {}", i);
        ConstantTag tag = p.tag(index);
        const char* wanted = kind < 5 ? "field" : kind < 9 ? "method" : "interface method";
        bool right;
        switch (kind) {
          // getField .. putStatic.
          case 1:
          case 2:
          case 3:
          case 4: right = tag == ConstantTag::Fieldref; break;
          // invokeVirtual, newInvokeSpecial.
          case 5:
          case 8: right = tag == ConstantTag::Methodref; break;
          // invokeInterface.
          case 9: right = tag == ConstantTag::InterfaceMethodref; break;
          default:
            right =
                tag == ConstantTag::Methodref || (tag == ConstantTag::InterfaceMethodref && klass_.major_version >= 52);
        }
        if (!right)
          return fail_text("Invalid constant pool index {} in class file {} (not a{} {})", index, shown_name_,
                           kind == 9 ? "n" : "", wanted);
        break;
      }
      default: break;
    }
  }
}

// Checks names and descriptors, in classes that are not trusted.
void Parser::check_constant_pool_names() {
  ConstantPool& p = pool();
  for (u32 i = 1; i < p.count && !failed(); ++i) {
    ConstantTag tag = p.tag(i);
    switch (tag) {
      case ConstantTag::Class: check_class_name(p.utf8_text(static_cast<u32>(p.values[i]))); break;
      case ConstantTag::NameAndType: {
        std::string_view descriptor = p.utf8_text(p.second(i)), name = p.utf8_text(p.first(i));
        if (descriptor.empty() || name.empty()) {
          fail_text("Illegal zero length constant pool entry at {} in class {}",
                    descriptor.empty() ? p.second(i) : p.first(i), shown_name_);
        } else if (descriptor.starts_with('(')) {
          check_method_name(name);
          if (!failed())
            check_method_descriptor(name, descriptor, options_.release_name_rules.checks_initializers_by_name);
        } else {
          check_field_name(name);
          if (!failed()) check_field_descriptor(name, descriptor);
        }
        break;
      }
      case ConstantTag::Fieldref:
      case ConstantTag::Methodref:
      case ConstantTag::InterfaceMethodref:
      case ConstantTag::Dynamic:
      case ConstantTag::InvokeDynamic: {
        u32 name_index = p.first(p.second(i));
        std::string_view name = p.utf8_text(name_index), descriptor = p.utf8_text(p.second(p.second(i)));
        bool wants_method = tag != ConstantTag::Fieldref && tag != ConstantTag::Dynamic;
        if (descriptor.starts_with('(') != wants_method)
          refuse_signature(wants_method                  ? "Method"
                           : tag == ConstantTag::Dynamic ? "CONSTANT_Dynamic"
                                                         : "Field",
                           name, descriptor);
        else if (tag == ConstantTag::Methodref && name.starts_with('<') && name != "<init>")
          fail("Bad method name at constant pool index {}", name_index);
        else if (tag == ConstantTag::Methodref && name == "<init>" && !descriptor.ends_with(")V"))
          refuse_signature("Method", name, descriptor);
        break;
      }
      case ConstantTag::MethodType: check_method_descriptor("type", p.utf8_text(static_cast<u32>(p.values[i]))); break;
      case ConstantTag::MethodHandle: {
        u32 kind = p.first(i);
        if (kind < 5 || kind > 8) break;
        u32 name_index = p.first(p.second(p.second(i)));
        bool is_constructor = p.utf8_text(name_index) == "<init>";
        if (kind == 8 && !is_constructor) fail("Bad constructor name at constant pool index {}", name_index);
        if (kind != 8 && is_constructor) fail("Bad method name at constant pool index {}", name_index);
        break;
      }
      default: break;
    }
  }
}

}  // namespace classfile
}  // namespace keyhole
