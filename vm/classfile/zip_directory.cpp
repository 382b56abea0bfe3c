// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the record at the end, the directory before it, and the directory's entries with their extra fields.
#include "vm/classfile/zip_directory.h"

#include <optional>
#include <utility>

#include "runtime/base/shown_text.h"
#include "vm/classfile/zip_bytes.h"

namespace keyhole {
namespace {

using namespace zip;

struct End {
  u64 position;        // position of the end record
  u64 entries, bytes;  // of the directory
  u64 offset;          // distance of the directory from the first local header
};

// Uses the values of the ZIP64 end record if there is one that is consistent with the end record.
void use_end64(ZipSource& source, End& end) {
  u8 locator[locator64_bytes], record[end64_bytes];
  if (end.position < sizeof locator || !read_at(source, end.position - sizeof locator, locator) ||
      !has_signature(locator, 0, 6, 7))
    return;
  u64 position = u64_at(locator, 8);
  if (!read_at(source, position, record) || !has_signature(record, 0, 6, 6)) return;
  u64 entries = u64_at(record, 32), bytes = u64_at(record, 40), offset = u64_at(record, 48);
  if ((bytes != end.bytes && end.bytes != in_extra_field) || (offset != end.offset && end.offset != in_extra_field) ||
      (entries != end.entries && end.entries != 0xFFFF))
    return;
  end = {position, entries, bytes, offset};
}

// Finds the end record: the last one whose comment ends with the file, or is followed by more.
std::optional<End> find_end(ZipSource& source) {
  u64 size = source.size();
  auto search = [&](u64 tail_bytes) -> std::optional<End> {
    std::vector<u8> tail(std::min(size, tail_bytes));
    u64 start = size - tail.size();
    if (!read_at(source, start, tail)) return std::nullopt;
    for (u64 at = tail.size() - end_bytes + 1; at-- > 0;) {
      if (!has_signature(tail, at, 5, 6)) continue;
      End end{start + at, u16_at(tail, at + 10), u32_at(tail, at + 12), u32_at(tail, at + 16)};
      u64 comment_end = end.position + end_bytes + u16_at(tail, at + 20);
      if (comment_end != size) {
        u64 directory = end.position - end.bytes;
        if (end.bytes > end.position || end.offset > directory || !has_signature(source, directory, 1, 2) ||
            !has_signature(source, directory - end.offset, 3, 4))
          continue;
        if (comment_end > size) return std::nullopt;  // java refuses such a file, too: the comment is cut off
      }
      return end;
    }
    return std::nullopt;
  };
  if (size < end_bytes) return std::nullopt;
  std::optional<End> end = search(end_bytes);
  if (!end) end = search(end_bytes + longest_comment);
  if (end) use_end64(source, *end);
  return end;
}

class DirectoryReader {
 public:
  DirectoryReader(Bytes bytes, u64 shift, ZipDirectory& directory)
      : bytes_(bytes), shift_(shift), directory_(directory) {}

  bool read() {
    u64 at = 0;
    while (at + entry_bytes <= bytes_.size())
      if (!take(at)) return false;
    return at == bytes_.size();
  }

 private:
  bool take(u64& at) {
    u64 name_bytes = u16_at(bytes_, at + 28), extra_bytes = u16_at(bytes_, at + 30),
        comment_bytes = u16_at(bytes_, at + 32);
    u64 whole = entry_bytes + name_bytes + extra_bytes + comment_bytes;
    u16 flags = u16_at(bytes_, at + 8), method = u16_at(bytes_, at + 10);
    constexpr u16 is_encrypted = 1;
    if (!has_signature(bytes_, at, 1, 2) || (flags & is_encrypted) != 0 || (method != 0 && method != deflated) ||
        whole > bytes_.size() - at)
      return false;
    directory_.has_odd_field |= whole > 0xFFFF;
    auto text = [&](u64 offset, u64 count) {
      return std::string_view(reinterpret_cast<const char*>(bytes_.data()) + at + offset, count);
    };
    std::string_view name = text(entry_bytes, name_bytes);
    if (!is_utf8(name) || !is_utf8(text(entry_bytes + name_bytes + extra_bytes, comment_bytes))) return false;
    ZipEntry entry{std::string(name), u32_at(bytes_, at + 42), u32_at(bytes_, at + 20), u32_at(bytes_, at + 24),
                   method == deflated};
    u16 disk = u16_at(bytes_, at + 34);
    if (!take_extra_fields(entry, disk, bytes_.subspan(at + entry_bytes + name_bytes, extra_bytes))) return false;
    entry.local_header += shift_;
    directory_.entries.push_back(std::move(entry));
    at += whole;
    return true;
  }

  static bool is_utf8(std::string_view text) { return valid_utf8(text) == text; }

  bool take_extra_fields(ZipEntry& entry, u16 disk, Bytes extra) {
    bool is_elsewhere = entry.bytes == in_extra_field || entry.stored_bytes == in_extra_field;
    bool is_elsewhere_strictly = is_elsewhere || entry.local_header == in_extra_field || disk == 0xFFFF;
    if (extra.empty()) directory_.has_odd_field |= is_elsewhere_strictly;
    ZipEntry changed = entry;
    bool is_first = true;
    for (u64 at = 0; at + 4 <= extra.size();) {
      u16 tag = u16_at(extra, at), size = u16_at(extra, at + 2);
      at += 4;
      if (size > extra.size() - at) return false;
      if (tag == 1) {
        Bytes block = extra.subspan(at, size);
        if (size == 0 ? is_elsewhere : !fits(entry, block)) return false;
        directory_.has_odd_field |= size == 0 ? is_elsewhere_strictly : !fits_exactly(entry, disk, block);
        if (std::exchange(is_first, false)) take_large(changed, extra.subspan(at, size));
      }
      at += size;
    }
    entry = changed;
    return true;
  }

  static bool is_negative(Bytes block, u64 offset) { return static_cast<i64>(u64_at(block, offset)) < 0; }

  static bool fits(const ZipEntry& entry, Bytes block) {
    if (block.size() != 8 && block.size() != 16 && block.size() != 24 && block.size() != 28) return false;
    return !(entry.bytes == in_extra_field && is_negative(block, 0)) &&
           !(entry.stored_bytes == in_extra_field && block.size() >= 16 && is_negative(block, 8));
  }

  static bool fits_exactly(const ZipEntry& entry, u16 disk, Bytes block) {
    u64 numbers = u64{entry.bytes == in_extra_field} + u64{entry.stored_bytes == in_extra_field} +
                  u64{entry.local_header == in_extra_field};
    if (block.size() != numbers * 8 + (disk == 0xFFFF ? 4 : 0)) return false;
    for (u64 number = 0; number < numbers; ++number)
      if (is_negative(block, number * 8)) return false;
    return true;
  }

  // Reads the large values from extra field 1: in this order, as far as the block goes.
  static void take_large(ZipEntry& entry, Bytes block) {
    for (u64* number : {&entry.bytes, &entry.stored_bytes, &entry.local_header}) {
      if (*number != in_extra_field) continue;
      if (block.size() < 8) return;
      *number = u64_at(block, 0);
      block = block.subspan(8);
    }
  }

  Bytes bytes_;
  u64 shift_;
  ZipDirectory& directory_;
};

}  // namespace

std::string read_zip_directory(ZipSource& source, ZipDirectory& directory) {
  std::optional<End> end = find_end(source);
  if (!end) return "not a zip file";
  if (end->position == 0) return {};  // of no entry
  u64 start = end->position - end->bytes;
  if (end->bytes > end->position || end->offset > start || end->bytes > ~u32{0} >> 1 ||
      end->entries > end->bytes / entry_bytes)
    return "its directory is damaged";
  std::vector<u8> bytes(end->bytes);
  directory.entries.reserve(end->entries);
  if (!read_at(source, start, bytes) || !DirectoryReader(bytes, start - end->offset, directory).read()) {
    directory.entries.clear();
    return "its directory is damaged";
  }
  return {};
}

}  // namespace keyhole
