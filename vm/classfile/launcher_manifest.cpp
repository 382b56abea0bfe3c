// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the manifest's entry, unpacks its bytes, and reads lines until the first section ends.
#include "vm/classfile/launcher_manifest.h"

#include <zlib.h>

#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "vm/classfile/zip_bytes.h"

namespace keyhole {
namespace {

using namespace zip;

constexpr std::string_view manifest_name = "META-INF/MANIFEST.MF";

struct Directory {
  u64 start;
  // the position to which offsets of local headers are relative; a negative position wraps around, and nothing is found
  // there
  u64 base;
};

struct StoredManifest {
  u64 position, stored_bytes, bytes, method;
};

class LauncherReader {
 public:
  explicit LauncherReader(ZipSource& source) : source_(source) {}

  std::optional<StoredManifest> find() {
    std::optional<Directory> directory = find_directory();
    if (!directory) return std::nullopt;
    std::array<u8, entry_bytes> entry;
    u64 at = directory->start;
    buffered_ = std::min(source_.size(), at + least_read);
    while (read_at(source_, at, entry) && has_signature(entry, 0, 1, 2)) {
      u64 name_bytes = u16_at(entry, 28);
      u64 end = at + entry_bytes + name_bytes + u16_at(entry, 30) + u16_at(entry, 32);
      if (!buffer_until(at + entry_bytes, least_read) || !buffer_until(end + signature_bytes, 0)) return std::nullopt;
      std::array<u8, manifest_name.size()> name;
      if (name_bytes == name.size() && read_at(source_, at + entry_bytes, name) &&
          memcmp(name.data(), manifest_name.data(), name.size()) == 0)
        return manifest_of(entry, directory->base);
      at = end;
    }
    return std::nullopt;
  }

 private:
  static constexpr u64 least_read = 1024, signature_bytes = 4;

  // The launcher reads the directory through a buffer. It gives up when it needs more bytes and the file has none, but
  // not when the file has fewer than it needs.
  bool buffer_until(u64 position, u64 least) {
    if (position <= buffered_) return true;
    if (buffered_ == source_.size()) return false;
    buffered_ = std::min(source_.size(), std::max(position, buffered_ + least));
    return true;
  }

  std::optional<StoredManifest> manifest_of(Bytes entry, u64 base) {
    u64 local = base + u32_at(entry, 42);
    std::array<u8, local_header_bytes> header;
    if (!read_at(source_, local, header) || !has_signature(header, 0, 3, 4)) return std::nullopt;
    return StoredManifest{local + local_header_bytes + u16_at(header, 26) + u16_at(header, 28), u32_at(entry, 20),
                          u32_at(entry, 24), u16_at(entry, 10)};
  }

  // The first end record from the end of the file decides.
  std::optional<Directory> find_directory() {
    u64 size = source_.size();
    std::array<u8, end_bytes> end;
    if (size < end_bytes || !read_at(source_, size - end_bytes, end)) return std::nullopt;
    if (has_signature(end, 0, 5, 6)) return directory_before(end, size - end_bytes);
    std::vector<u8> tail(std::min(size, end_bytes + longest_comment));
    u64 start = size - tail.size();
    if (!read_at(source_, start, tail)) return std::nullopt;
    for (u64 at = tail.size() - end_bytes + 1; at-- > 0;) {
      if (has_signature(tail, at, 5, 6) && at + end_bytes + u16_at(tail, at + 20) == tail.size())
        return directory_before(Bytes(tail).subspan(at, end_bytes), start + at);
    }
    return std::nullopt;
  }

  std::optional<Directory> directory_before(Bytes end, u64 position) {
    u64 bytes = u32_at(end, 12), offset = u32_at(end, 16);
    constexpr u64 both_bytes = end64_bytes + locator64_bytes;
    std::array<u8, both_bytes> large;
    if (bytes + offset != position && position >= both_bytes && read_at(source_, position - both_bytes, large) &&
        has_signature(large, end64_bytes, 6, 7) && u32_at(large, end64_bytes + 4) == u16_at(end, 4)) {
      u64 elsewhere = u64_at(large, end64_bytes + 8);
      for (u64 at : {position - both_bytes, elsewhere}) {
        std::array<u8, end64_bytes> record;
        if (!read_at(source_, at, record) || !is_large_form(record, end)) continue;
        if (auto directory = checked_directory(at, u64_at(record, 40), u64_at(record, 48))) return directory;
      }
    }
    return checked_directory(position, bytes, offset);
  }

  // Returns whether this is the ZIP64 end record that belongs to the end record.
  static bool is_large_form(Bytes record, Bytes end) {
    u64 entries = u16_at(end, 10), bytes = u32_at(end, 12), offset = u32_at(end, 16);
    return has_signature(record, 0, 6, 6) && (u64_at(record, 40) == bytes || bytes == in_extra_field) &&
           (u64_at(record, 48) == offset || offset == in_extra_field) &&
           (u64_at(record, 32) == entries || entries == 0xFFFF);
  }

  // The directory must begin with an entry whose local header is there, with a name of the same length.
  std::optional<Directory> checked_directory(u64 end, u64 bytes, u64 offset) {
    if (bytes > end || static_cast<i64>(offset) < 0) return std::nullopt;
    Directory directory{end - bytes, end - bytes - offset};
    if (bytes == 0) return directory;
    std::array<u8, entry_bytes> entry;
    std::array<u8, local_header_bytes> header;
    if (!read_at(source_, directory.start, entry) || !has_signature(entry, 0, 1, 2) ||
        !read_at(source_, directory.base + u32_at(entry, 42), header) || !has_signature(header, 0, 3, 4) ||
        u16_at(entry, 28) != u16_at(header, 26))
      return std::nullopt;
    return directory;
  }

  ZipSource& source_;
  u64 buffered_ = 0;  // file offset of the buffer's end
};

// The manifest's text. When less than its size comes out of the decompressor, zeros follow.
std::optional<std::string> unpacked(ZipSource& source, const StoredManifest& manifest) {
  if (manifest.method != 0 && manifest.method != deflated) return std::nullopt;
  if (!source.seek(manifest.position) || manifest.stored_bytes > source.size() - manifest.position) return std::nullopt;
  std::string stored(manifest.stored_bytes, '\0');
  if (source.read({reinterpret_cast<u8*>(stored.data()), stored.size()}) != stored.size()) return std::nullopt;
  if (manifest.method == 0) return stored;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  // Limits the memory: decompression cannot produce more bytes than this, even if the stated size is larger.
  std::string text(std::min(manifest.bytes, (stored.size() + 1) * best_ratio), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(stored.data());
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  int status = inflate(&stream, Z_PARTIAL_FLUSH);
  inflateEnd(&stream);
  return status < 0 ? std::nullopt : std::optional(text);
}

// Are the lines up to the first empty one, or up to a zero, attributes "name: value"? Lines that begin with a space
// continue the line before, and must end; the last attribute need not.
bool is_first_section_readable(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  while (!text.empty() && text.front() != '\n' && text.front() != '\r') {
    std::string line;
    auto take_line = [&] {
      usize end = text.find_first_of("\r\n");
      bool has_end = end != std::string_view::npos;
      line += text.substr(0, end);
      text.remove_prefix(has_end ? end + (text.substr(end, 2) == "\r\n" ? 2 : 1) : text.size());
      return has_end;
    };
    take_line();
    while (text.starts_with(' ')) {
      text.remove_prefix(1);
      if (!take_line()) return false;
    }
    usize colon = line.find(':');
    if (colon == std::string::npos || line.substr(colon, 2) != ": ") return false;
  }
  return true;
}

}  // namespace

bool launcher_accepts(const std::string& jar) {
  ZipSource source;
  if (!source.open(jar, ZipSource::Access::read).empty()) return false;
  std::optional<StoredManifest> manifest = LauncherReader(source).find();
  if (!manifest) return false;
  std::optional<std::string> text = unpacked(source, *manifest);
  return text && is_first_section_readable(*text);
}

}  // namespace keyhole
