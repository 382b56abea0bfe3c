// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads lib/modules in place.
#include "vm/classfile/jimage.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstring>

#include "runtime/base/mutex.h"

namespace keyhole {
namespace {

constexpr u32 magic = 0xCAFEDADA;
constexpr u32 supported_major_version = 1;
constexpr usize header_bytes = 28;
constexpr u32 hash_multiplier = 0x01000193;

// The header that precedes the bytes of a compressed resource.
struct [[gnu::packed]] CompressedHeader {
  u32 magic;
  u64 content_bytes, inflated_bytes;
  u32 method_offset;  // in the strings
  u32 configuration_offset;
  u8 is_last;  // 0: the decompressed bytes begin with another such header
};
constexpr u32 compressed_magic = 0xCAFEFAFA;
constexpr u64 deflate_best_ratio = 1032;
// Pages are released when this much has been mapped again. Each resource counts with a quarter of the 64 KiB that a
// fault maps, because some faults find their page mapped.
constexpr i64 released_after_bytes = 8_MiB, mapped_around_bytes = 16_KiB;

u32 hash_more(std::string_view text, u32 hash) {
  for (char c : text) hash = (hash * hash_multiplier) ^ static_cast<u8>(c);
  return hash;
}

// The hash of "/" module "/" rest.
u32 hash_name(std::string_view module, std::string_view rest, u32 seed) {
  u32 hash = seed;
  if (!module.empty()) hash = hash_more(module, hash_more("/", hash));
  return hash_more(rest, hash_more("/", hash)) & 0x7FFFFFFF;
}

}  // namespace

u32 JImage::u32_at(usize offset) const {
  u32 value;
  memcpy(&value, file_.bytes().data() + offset, 4);
  return value;
}

std::string JImage::open(const std::string& path) {
  if (std::string problem = file_.open(path); !problem.empty()) return fmt::format("cannot read {}: {}", path, problem);
  usize size = file_.bytes().size();
  if (size < header_bytes || u32_at(0) != magic) return fmt::format("{} is not a jimage file", path);
  if (u32 version = u32_at(4) >> 16; version != supported_major_version) {
    return fmt::format("{} has jimage version {}, expected {}", path, version, supported_major_version);
  }
  u64 table_length = u32_at(16), locations = u32_at(20), strings = u32_at(24);
  if (header_bytes + table_length * 8 + locations + strings > size) return fmt::format("{} is truncated", path);
  redirect_offset_ = header_bytes;
  offsets_offset_ = redirect_offset_ + table_length * 4;
  locations_offset_ = offsets_offset_ + table_length * 4;
  strings_offset_ = locations_offset_ + locations;
  content_offset_ = strings_offset_ + strings;
  // The strings section must end with a terminator, because string_at relies on one.
  if (strings == 0 || file_.bytes()[content_offset_ - 1] != 0) return fmt::format("{} is damaged", path);
  table_length_ = static_cast<u32>(table_length);
  return {};
}

std::string_view JImage::string_at(u64 offset) const {
  if (offset >= content_offset_ - strings_offset_) return {};
  return reinterpret_cast<const char*>(file_.bytes().data() + strings_offset_ + offset);
}

bool JImage::read_location(u32 index, Location& location) const {
  usize position = locations_offset_ + u32_at(offsets_offset_ + usize{index} * 4);
  const u8* data = file_.bytes().data();
  while (position < strings_offset_) {
    u8 kind = data[position] >> 3;
    usize length = (data[position] & 7) + 1;
    ++position;
    if (kind == End) return true;
    if (kind >= AttributeCount || position + length > strings_offset_) return false;
    u64 value = 0;
    for (usize i = 0; i < length; ++i) value = value << 8 | data[position + i];
    location.attributes[kind] = value;
    position += length;
  }
  return false;
}

std::string JImage::full_name(const Location& location) const {
  std::string name;
  if (auto parent = string_at(location.attributes[Parent]); !parent.empty()) name.append(parent).append("/");
  name.append(string_at(location.attributes[Base]));
  if (auto extension = string_at(location.attributes[Extension]); !extension.empty())
    name.append(".").append(extension);
  return name;
}

bool JImage::name_matches(const Location& location, std::string_view module, std::string_view rest) const {
  auto consume = [&rest](std::string_view part) {
    if (!rest.starts_with(part)) return false;
    rest.remove_prefix(part.size());
    return true;
  };
  if (string_at(location.attributes[Module]) != module) return false;
  if (auto parent = string_at(location.attributes[Parent]); !parent.empty() && !(consume(parent) && consume("/")))
    return false;
  if (!consume(string_at(location.attributes[Base]))) return false;
  if (auto extension = string_at(location.attributes[Extension]); !extension.empty()) {
    if (!(consume(".") && consume(extension))) return false;
  }
  return rest.empty();
}

std::optional<std::span<const u8>> JImage::content(const Location& location) const {
  u64 offset = location.attributes[Offset], size = location.attributes[Uncompressed];
  u64 available = file_.bytes().size() - content_offset_;
  u64 compressed_size = location.attributes[Compressed], stored_size = compressed_size != 0 ? compressed_size : size;
  if (offset > available || stored_size > available - offset) return std::nullopt;
  std::span<const u8> stored = file_.bytes().subspan(content_offset_ + offset, stored_size);
  count_for_release(stored_size);
  return compressed_size == 0 ? stored : inflated(stored, size);
}

void JImage::count_for_release(usize bytes) const {
  i64 mapped = static_cast<i64>(bytes) + mapped_around_bytes;
  i64 left = until_release_.fetch_sub(mapped, std::memory_order_relaxed);
  if (left <= 0 || left > mapped) return;  // not yet, or another thread releases them
  file_.release_pages();
  until_release_.store(released_after_bytes, std::memory_order_relaxed);
}

// Decompresses a resource. jlink's other method (--compress=1), which shares constants between classes, is not
// supported: such resources count as not found.
std::optional<std::span<const u8>> JImage::inflated(std::span<const u8> compressed, u64 size) const {
  CompressedHeader header;
  if (compressed.size() < sizeof header) return std::nullopt;
  memcpy(&header, compressed.data(), sizeof header);
  if (header.magic != compressed_magic || header.inflated_bytes != size ||
      header.content_bytes > compressed.size() - sizeof header)
    return std::nullopt;
  if (string_at(header.method_offset) != "zip" || size / deflate_best_ratio > header.content_bytes) return std::nullopt;
  MutexLock lock(inflated_mutex_);
  std::unique_ptr<u8[]>& bytes = inflated_[compressed.data()];
  if (bytes == nullptr) {
    auto made = std::make_unique_for_overwrite<u8[]>(size);
    uLongf length = size;
    if (uncompress(made.get(), &length, compressed.data() + sizeof header, header.content_bytes) != Z_OK ||
        length != size)
      return std::nullopt;
    bytes = std::move(made);
  }
  return std::span<const u8>(bytes.get(), size);
}

std::optional<std::span<const u8>> JImage::find(std::string_view module, std::string_view rest) const {
  if (table_length_ == 0) return std::nullopt;
  u32 slot = hash_name(module, rest, hash_multiplier) % table_length_;
  i32 redirect = static_cast<i32>(u32_at(redirect_offset_ + usize{slot} * 4));
  if (redirect == 0) return std::nullopt;
  u32 index = redirect < 0 ? static_cast<u32>(-1 - redirect)
                           : hash_name(module, rest, static_cast<u32>(redirect)) % table_length_;
  Location location;
  if (index >= table_length_ || !read_location(index, location) || !name_matches(location, module, rest))
    return std::nullopt;
  return content(location);
}

std::optional<std::span<const u8>> JImage::find(std::string_view name) const {
  usize end = name.find('/', 1);
  if (!name.starts_with('/') || end == std::string_view::npos) return std::nullopt;
  return find(name.substr(1, end - 1), name.substr(end + 1));
}

// The resource "/packages/java.lang" has pairs: whether the package is empty in a module, and the offset of the
// module's name.
std::string_view JImage::module_of_package(std::string_view package) const {
  auto pairs = find("packages", package);
  if (!pairs) return {};
  for (usize at = 0; at + 8 <= pairs->size(); at += 8) {
    u32 is_empty, name_offset;
    memcpy(&is_empty, pairs->data() + at, 4);
    memcpy(&name_offset, pairs->data() + at + 4, 4);
    if (is_empty == 0) return string_at(name_offset);
  }
  return {};
}

}  // namespace keyhole
