// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's modules as lib/modules has them.
#include "vm/natives/loader/system_modules.h"

#include <algorithm>
#include <fstream>

#include "vm/classfile/byte_reader.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/jimage.h"

namespace keyhole::system_modules {
namespace {

using classfile::ByteReader;

const JImage& image() {
  static const JImage* opened = [] {
    auto* made = new JImage();   // for the life of the process
    made->open(java_home() + "/lib/modules");
    return made;
  }();
  return *opened;
}

// The constant pool of a module-info, as far as it is needed: where each entry starts.
struct Pool {
  std::vector<const u8*> entries;
  std::string_view utf8(u16 index) const {
    if (index >= entries.size() || entries[index] == nullptr || entries[index][0] != 1) return {};
    return {reinterpret_cast<const char*>(entries[index] + 3), classfile::read_u16(entries[index] + 1)};
  }
  // Class, Module and Package entries: the name they point to.
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
      case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: reader.take(4); break;
      case 5: case 6: reader.take(8); ++i; break;
      case 7: case 8: case 16: case 19: case 20: reader.take(2); break;
      case 15: reader.take(3); break;
      default: return false;
    }
  }
  return !reader.overrun();
}

std::vector<std::string> find_names() {
  std::vector<std::string> result;
  // The JDK's `release` file lists them: MODULES="java.base java.compiler ...". Names that the image lacks are dropped.
  std::ifstream release(java_home() + "/release");
  for (std::string line; std::getline(release, line);) {
    if (!line.starts_with("MODULES=\"")) continue;
    usize start = 9;
    while (start < line.size()) {
      usize end = line.find_first_of(" \"", start);
      if (end == std::string::npos) end = line.size();
      std::string name = line.substr(start, end - start);
      if (!name.empty() && !resource(name, "module-info.class").empty()) result.push_back(std::move(name));
      start = end + 1;
    }
  }
  if (result.empty()) {
    image().for_each([&](std::string_view module, const std::string& name, std::span<const u8>) {
      if (name == "module-info.class") result.emplace_back(module);
    });
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string>* found = new std::vector<std::string>(find_names());
  return *found;
}

std::span<const u8> resource(std::string_view module, std::string_view name) {
  auto bytes = image().find(module, name);
  return bytes ? *bytes : std::span<const u8>();
}

std::vector<std::string_view> provided_by(std::span<const u8> module_info, std::string_view service) {
  std::vector<std::string_view> result;
  ByteReader reader(module_info);
  if (reader.u4() != 0xCAFEBABE) return result;
  reader.take(4);   // versions
  Pool pool;
  if (!read_pool(reader, pool)) return result;
  reader.take(6);   // flags, this, super
  if (reader.u2() != 0 || reader.u2() != 0 || reader.u2() != 0) return result;   // a module-info has no members
  for (u16 attributes = reader.u2(); attributes > 0 && !reader.overrun(); --attributes) {
    std::string_view attribute = pool.utf8(reader.u2());
    ByteReader content = reader.sub(reader.u4());
    if (attribute != "Module") continue;
    content.take(6);                                                       // name, flags, version
    content.take(u64{content.u2()} * 6);                                   // requires
    for (int section = 0; section < 2; ++section) {                        // exports, opens
      for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
        content.take(4);
        content.take(u64{content.u2()} * 2);
      }
    }
    content.take(u64{content.u2()} * 2);                                   // uses
    for (u16 count = content.u2(); count > 0 && !content.overrun(); --count) {
      bool wanted = pool.name(content.u2()) == service;
      for (u16 with = content.u2(); with > 0 && !content.overrun(); --with) {
        u16 index = content.u2();
        if (wanted && !content.overrun()) result.push_back(pool.name(index));
      }
    }
  }
  return result;
}

std::vector<Provider> providers(std::string_view service) {
  std::string internal(service);
  std::replace(internal.begin(), internal.end(), '.', '/');
  std::vector<Provider> result;
  for (const std::string& module : names()) {
    for (std::string_view each : provided_by(resource(module, "module-info.class"), internal)) {
      std::string dotted(each);
      std::replace(dotted.begin(), dotted.end(), '/', '.');
      result.push_back({module, std::move(dotted)});
    }
  }
  return result;
}

}  // namespace keyhole::system_modules
