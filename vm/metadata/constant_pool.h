// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The run-time constant pool (JVMS 5.1): tags and raw values as parsed, and what each entry was resolved to.
//
// Raw values are immutable after parsing. The first thread that resolves an entry writes its resolved value once, with
// release; other threads that resolve it at the same time use that value. A failed resolution is recorded with its
// exception, because the same error must come again (JVMS 5.4.3).
#pragma once

#include <atomic>

#include "runtime/object/klass.h"
#include "vm/metadata/method.h"

namespace keyhole {

enum class ConstantTag : u8 {  // JVMS table 4.4-A
  Unused = 0,
  Utf8 = 1,
  Integer = 3,
  Float = 4,
  Long = 5,
  Double = 6,
  Class = 7,
  String = 8,
  Fieldref = 9,
  Methodref = 10,
  InterfaceMethodref = 11,
  NameAndType = 12,
  MethodHandle = 15,
  MethodType = 16,
  Dynamic = 17,
  InvokeDynamic = 18,
  Module = 19,
  Package = 20,
};

struct ConstantPool {
  InstanceKlass* holder;
  u16 count;                    // entries 1 .. count-1
  u8* tags;                     // ConstantTag
  u64* values;                  // Utf8: read it with utf8() or utf8_text(); Integer/Float: 32 bits; Long/Double: 64
                                // bits; Class/String/MethodType: index; refs, NameAndType, Dynamic: (first << 16) |
                                // second; MethodHandle: (kind << 16) | index
  std::atomic<u64>* resolved;   // 0 = not yet. Class: Klass*; String, MethodHandle, MethodType, Dynamic: index into
                                // `resolved_references` + 1; other entries: owned by vm/link/resolution
  Object* resolved_references;  // GC root: Object[] grown on demand, or null; written by add_resolved_reference only
  // number of used elements of `resolved_references`; guarded by add_resolved_reference's lock
  u32 resolved_reference_count;
  u16 bootstrap_count;
  const u16** bootstraps;  // for each bootstrap method: method handle index, argument count, arguments...
  // In a unit that can die, each Utf8 entry that is a Symbol holds the symbol, until release_symbols.
  bool holds_symbols;
  ConstantPool* replaced;  // the constant pool that the class had before its redefinition, or null (redefinition.h)
  ConstantPool* next;      // the next pool of the list ClassUnit::pools, which has the pools that hold symbols

  ConstantTag tag(u32 index) const { return static_cast<ConstantTag>(tags[index]); }
  // The symbol of a Utf8 entry. It is made at first use, because most of a class's texts are never used. Until then the
  // value is the address of the entry's length in the class file, with bit 63 set.
  const Symbol* utf8(u32 index) const {
    u64 value = std::atomic_ref(values[index]).load(std::memory_order_acquire);
    if ((value & unread_text) == 0) [[likely]]
      return reinterpret_cast<const Symbol*>(value);
    return intern_utf8(index);
  }
  // Returns the text of a Utf8 entry without creating a Symbol.
  std::string_view utf8_text(u32 index) const {
    u64 value = std::atomic_ref(values[index]).load(std::memory_order_acquire);
    if ((value & unread_text) == 0) return reinterpret_cast<const Symbol*>(value)->text();
    const u8* raw = reinterpret_cast<const u8*>(value & ~unread_text);
    return {reinterpret_cast<const char*>(raw + 2), static_cast<usize>(raw[0] << 8 | raw[1])};
  }
  i32 integer(u32 index) const { return static_cast<i32>(values[index]); }
  i64 long_value(u32 index) const { return static_cast<i64>(values[index]); }
  const Symbol* class_name(u32 index) const { return utf8(static_cast<u32>(values[index])); }
  const Symbol* string_text(u32 index) const { return utf8(static_cast<u32>(values[index])); }
  u32 first(u32 index) const { return static_cast<u32>(values[index] >> 16) & 0xFFFF; }
  u32 second(u32 index) const { return static_cast<u32>(values[index]) & 0xFFFF; }
  // Parts of a reference. Fieldref, Methodref, InterfaceMethodref have class, name and descriptor. Dynamic and
  // InvokeDynamic have bootstrap method, name and descriptor.
  const Symbol* ref_class_name(u32 index) const { return class_name(first(index)); }
  const Symbol* ref_name(u32 index) const { return utf8(first(second(index))); }
  const Symbol* ref_descriptor(u32 index) const { return utf8(second(second(index))); }

  static constexpr u64 unread_text = u64{1} << 63;

  // Sets the entry after the last one to this text: the name of a hidden class.
  const Symbol* append_text(std::string_view text);
  // Releases the symbols that the pool holds. Called when the pool is freed.
  void release_symbols();

 private:
  const Symbol* intern_utf8(u32 index) const;
};

}  // namespace keyhole
