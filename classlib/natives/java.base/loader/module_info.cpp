// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a module-info.class. Its constant pool is only indexed, and attributes other than Module and ModuleResolution
// are skipped.
#include "classlib/natives/java.base/loader/module_info.h"

#include "vm/classfile/byte_reader.h"

namespace keyhole::system_modules {
namespace {

using classfile::ByteReader;

constexpr u16 requires_static = 0x0040;            // JVMS table 4.7.25-A, ACC_STATIC_PHASE
constexpr u16 do_not_resolve_by_default = 0x0001;  // the JDK's own attribute ModuleResolution

// An index of the constant pool: the start of each entry.
struct Pool {
  std::vector<const u8*> entries;
  std::string_view utf8(u16 index) const {
    if (index >= entries.size() || entries[index] == nullptr || entries[index][0] != 1) return {};
    return {reinterpret_cast<const char*>(entries[index] + 3), classfile::read_u16(entries[index] + 1)};
  }
  // The name to which a Class, Module or Package entry refers.
  std::string_view name(u16 index) const {
    if (index >= entries.size() || entries[index] == nullptr) return {};
    u8 tag = entries[index][0];
    return tag == 7 || tag == 19 || tag == 20 ? utf8(classfile::read_u16(entries[index] + 1)) : std::string_view();
  }
};

bool read_pool(ByteReader& reader, Pool& pool) {
  u16 count = reader.u2();
  pool.entries.assign(count, nullptr);
  for (u32 i = 1; i < count && !reader.overrun(); ++i) {
    pool.entries[i] = reader.position();
    switch (reader.u1()) {
      case 1: reader.take(reader.u2()); break;
      case 3:
      case 4:
      case 9:
      case 10:
      case 11:
      case 12:
      case 17:
      case 18: reader.take(4); break;
      case 5:
      case 6:
        reader.take(8);
        ++i;
        break;
      case 7:
      case 8:
      case 16:
      case 19:
      case 20: reader.take(2); break;
      case 15: reader.take(3); break;
      default: return false;
    }
  }
  return !reader.overrun();
}

void read_module_attribute(ByteReader content, const Pool& pool, ModuleInfo& info) {
  content.take(6);  // name, flags, version
  for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
    std::string_view module = pool.name(content.u2());
    u16 flags = content.u2();
    content.take(2);  // version
    if (!content.overrun()) info.required.push_back({module, (flags & requires_static) != 0});
  }
  for (bool exports : {true, false}) {  // then opens
    for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
      content.take(4);
      u16 targets = content.u2();
      content.take(u64{targets} * 2);
      if (exports && targets == 0 && !content.overrun()) info.exports_to_all = true;
    }
  }
  for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
    std::string_view service = pool.name(content.u2());
    if (!content.overrun()) info.uses.push_back(service);
  }
  for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
    ModuleInfo::Provided provided{pool.name(content.u2()), {}};
    for (u16 with = content.u2(); with > 0 && !content.overrun(); --with) {
      std::string_view provider = pool.name(content.u2());
      if (!content.overrun()) provided.providers.push_back(provider);
    }
    info.provides.push_back(std::move(provided));
  }
}

}  // namespace

ModuleInfo read_module_info(std::span<const u8> bytes) {
  ModuleInfo info;
  ByteReader reader(bytes);
  if (reader.u4() != 0xCAFEBABE) return info;
  reader.take(4);  // versions
  Pool pool;
  if (!read_pool(reader, pool)) return info;
  reader.take(6);                                                             // flags, this, super
  if (reader.u2() != 0 || reader.u2() != 0 || reader.u2() != 0) return info;  // a module-info has no members
  for (u16 attributes = reader.u2(); attributes > 0 && !reader.overrun(); --attributes) {
    std::string_view attribute = pool.utf8(reader.u2());
    ByteReader content = reader.sub(reader.u4());
    if (attribute == "Module") read_module_attribute(content, pool, info);
    if (attribute == "ModuleResolution") info.resolved_by_default = (content.u2() & do_not_resolve_by_default) == 0;
  }
  return info;
}

}  // namespace keyhole::system_modules
