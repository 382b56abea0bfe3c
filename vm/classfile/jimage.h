// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's lib/modules: a file of resources found through a perfect hash, mapped and read in place.
//
//   +--------+----------+---------+---------------------+---------+-------------------------------+
//   | header | redirect | offsets | location attributes | strings | resources, mostly uncompressed |
//   | 28 B   | i32[n]   | u32[n]  | bytes               | bytes   |                               |
//   +--------+----------+---------+---------------------+---------+-------------------------------+
//
// A resource's name is "/module/parent/base.extension". Its hash picks a redirect entry; that is either the seed of a
// second hash (> 0), the location's index (-1 - value), or "no such name" (0). The name is always compared. A location
// is a list of (kind, big-endian value) attributes: offsets of the four name parts in the strings, and the offset of
// the content. Every offset is checked: a damaged file gives "not found".
//
// Images made by jlink --compress=2 hold deflated resources. Each is inflated once, on first use, and kept: classes
// point into it.
//
// Most classes are read once, but a fault maps sixteen pages, which would stay. So the mapped pages are released after
// some hundred resources. The first release comes after more than twice as many: a small program ends before it, and
// maps no page twice.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/mutex.h"
#include "vm/classfile/mapped_file.h"

namespace keyhole {

class JImage {
 public:
  // Opens the file. Returns an empty string, or the reason why it is invalid.
  std::string open(const std::string& path);

  // Finds a resource by its name, for example "/java.base/java/lang/Object.class". Empty if there is none.
  std::optional<std::span<const u8>> find(std::string_view name) const;
  // Does the same for a name in two parts that are not contiguous: "/" module "/" rest.
  std::optional<std::span<const u8>> find(std::string_view module, std::string_view rest) const;
  // Returns the module of a package, which is given in dotted form ("java.lang"). Empty if no module has the package.
  std::string_view module_of_package(std::string_view package) const;

  // Calls visit(module, full name without the module, content) for all resources, in the table's order. For tools and
  // tests.
  template <typename Visitor> void for_each(Visitor&& visit) const;

 private:
  enum Attribute : u8 { End, Module, Parent, Base, Extension, Offset, Compressed, Uncompressed, AttributeCount };
  struct Location {
    u64 attributes[AttributeCount] = {};
  };

  bool read_location(u32 index, Location& location) const;
  bool name_matches(const Location& location, std::string_view module, std::string_view rest) const;
  std::optional<std::span<const u8>> content(const Location& location) const;
  std::optional<std::span<const u8>> inflated(std::span<const u8> compressed, u64 size) const;
  void count_for_release(usize bytes) const;
  std::string_view string_at(u64 offset) const;
  u32 u32_at(usize offset) const;
  std::string full_name(const Location& location) const;

  MappedFile file_;
  u32 table_length_ = 0;
  usize redirect_offset_ = 0, offsets_offset_ = 0, locations_offset_ = 0, strings_offset_ = 0, content_offset_ = 0;

  // How many bytes of resources can be found until the mapped pages are released.
  mutable std::atomic<i64> until_release_ = 18_MiB;

  mutable Mutex inflated_mutex_{LockRank::inflated_resources};
  // The resources that were decompressed, by the address of their compressed bytes.
  mutable std::map<const u8*, std::unique_ptr<u8[]>> inflated_ GUARDED_BY(inflated_mutex_);
};

template <typename Visitor> void JImage::for_each(Visitor&& visit) const {
  for (u32 i = 0; i < table_length_; ++i) {
    Location location;
    if (!read_location(i, location)) continue;
    if (auto bytes = content(location)) visit(string_at(location.attributes[Module]), full_name(location), *bytes);
  }
}

}  // namespace keyhole
