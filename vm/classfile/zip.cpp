// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the index, and unpacks entries by zlib.
#include "vm/classfile/zip.h"

#include <strings.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "vm/classfile/zip_bytes.h"

namespace keyhole {
namespace {

using namespace zip;

constexpr u64 most_unannounced_bytes = 64_MiB;  // limit for the size of an entry whose stated size is not trusted

// Returns whether a class loader reads no bytes of the entry: it stores the size in an int, and reads nothing if that
// is negative.
bool has_nothing_to_read(u64 bytes) { return static_cast<i32>(bytes) <= 0; }

bool is_manifest(std::string_view name) {
  constexpr std::string_view wanted = "META-INF/MANIFEST.MF";
  return name.size() == wanted.size() && strncasecmp(name.data(), wanted.data(), wanted.size()) == 0;
}

}  // namespace

std::string ZipArchive::open(const std::string& path, Access access) {
  if (std::string problem = source_.open(path, access); !problem.empty()) return problem;
  if (std::string problem = read_zip_directory(source_, directory_); !problem.empty()) return problem;
  source_.read_less_ahead();
  index_.reserve(entries().size());
  for (u32 i = 0; i < entries().size(); ++i) {
    std::string_view name = entries()[i].name;
    index_[name] = i;  // of several entries with one name, the last one is used
    if (is_manifest(name)) manifest_name_ = name;
  }
  return {};
}

std::optional<u64> ZipArchive::start_of(const ZipEntry& entry) {
  std::array<u8, local_header_bytes> header;
  if (!read_at(source_, entry.local_header, header) || !has_signature(header, 0, 3, 4)) return std::nullopt;
  u64 start = entry.local_header + local_header_bytes + u16_at(header, 26) + u16_at(header, 28);
  return start <= source_.size() ? std::optional(start) : std::nullopt;
}

std::optional<ZipArchive::Entry> ZipArchive::stored(u64 start, u64 bytes) {
  if (source_.mapped()) return Entry{source_.in_place(start, bytes), nullptr};
  auto copy = std::make_shared<std::vector<u8>>(bytes);
  if (!source_.seek(start) || source_.read(*copy) != bytes) return std::nullopt;
  return Entry{*copy, copy};
}

std::optional<ZipArchive::Entry> ZipArchive::unpacked(const ZipEntry& entry, u64 start, u64 bytes) {
  // One more byte than stored, as java.util.zip passes, because the decompressor may look for it at the end.
  std::vector<u8> packed(std::min(entry.stored_bytes, source_.size() - start) + 1);
  std::span<u8> given(packed.data(), packed.size() - 1);
  if (!source_.seek(start) || source_.read(given) != given.size()) return std::nullopt;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  auto out = std::make_shared<std::vector<u8>>(bytes);
  stream.next_in = packed.data();
  u64 taken = 0, filled = 0;
  int status = Z_OK;
  while (filled < bytes && status == Z_OK) {
    stream.next_in = packed.data() + taken;
    stream.avail_in = static_cast<uInt>(std::min<u64>(packed.size() - taken, 1_GiB));
    stream.next_out = out->data() + filled;
    stream.avail_out = static_cast<uInt>(std::min<u64>(bytes - filled, 1_GiB));
    status = inflate(&stream, Z_NO_FLUSH);
    taken = static_cast<u64>(stream.next_in - packed.data());
    filled = static_cast<u64>(stream.next_out - out->data());
  }
  inflateEnd(&stream);
  if (filled != bytes) return std::nullopt;
  return Entry{*out, out};
}

std::optional<ZipArchive::Entry> ZipArchive::find(std::string_view name, u64 largest_bytes) {
  const ZipEntry* known = this->entry(name);
  if (known == nullptr) return std::nullopt;
  const ZipEntry& entry = *known;
  if (has_nothing_to_read(entry.bytes)) return Entry{};
  if (largest_bytes == 0) return Entry{{}, nullptr, true};
  Entry damaged{{}, nullptr, false, true};
  MutexLock guard(mutex_);
  std::optional<u64> start = start_of(entry);
  if (!start) return damaged;
  u64 left = source_.size() - *start, bytes = entry.bytes;
  // The file is too short for the sizes that the directory states.
  if (entry.is_deflated ? bytes / best_ratio > std::min(left, entry.stored_bytes)
                        : bytes > std::min(left, entry.stored_bytes))
    return damaged;
  if (bytes > largest_bytes) return Entry{{}, nullptr, true};
  std::optional<Entry> result = entry.is_deflated ? unpacked(entry, *start, bytes) : stored(*start, bytes);
  return result ? result : damaged;
}

std::optional<ZipArchive::Entry> ZipArchive::read_stored(std::string_view name) {
  const ZipEntry* entry = this->entry(name);
  if (entry == nullptr) return std::nullopt;
  Entry damaged{{}, nullptr, false, true};
  MutexLock guard(mutex_);
  std::optional<u64> start = start_of(*entry);
  if (!start) return damaged;
  u64 left = std::min(entry->stored_bytes, source_.size() - *start);
  if (!entry->is_deflated) return left == entry->stored_bytes ? stored(*start, left) : damaged;
  std::vector<u8> packed(left + 1);  // one more, as in unpacked()
  std::span<u8> given(packed.data(), packed.size() - 1);
  z_stream stream{};
  if (!read_at(source_, *start, given) || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return damaged;
  auto out = std::make_shared<std::vector<u8>>();
  stream.next_in = packed.data();
  stream.avail_in = static_cast<uInt>(std::min<u64>(packed.size(), 1_GiB));
  int status = Z_OK;
  while (status == Z_OK && out->size() < most_unannounced_bytes) {
    u64 filled = out->size();
    out->resize(filled + 4_KiB);
    stream.next_out = out->data() + filled;
    stream.avail_out = 4_KiB;
    status = inflate(&stream, Z_NO_FLUSH);
    out->resize(out->size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? Entry{*out, out} : damaged;
}

}  // namespace keyhole
