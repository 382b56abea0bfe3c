// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A jar, in a mapping (the overlay, whose stored entries are returned in place) or in an opened file (the program's
// jars).
//
// open() reads the central directory once and makes an index of names. An entry is read as java.util.zip reads it:
// checksums are not compared, and sizes are those of the directory. Memory for an entry is allocated only if the file
// is large enough to hold what the directory states.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/mutex.h"
#include "vm/classfile/zip_directory.h"
#include "vm/classfile/zip_source.h"

namespace keyhole {

class ZipArchive {
 public:
  ZipArchive() = default;
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  using Access = ZipSource::Access;
  std::string open(const std::string& path, Access access);  // empty, or the error

  struct Entry {
    std::span<const u8> bytes;
    // Keeps the bytes alive. Null: they are in the mapping and live as long as the archive.
    std::shared_ptr<const std::vector<u8>> owner;
    bool is_too_large = false;  // the entry is larger than the limit, so it was not unpacked and `bytes` is empty
    bool is_damaged = false;    // cannot be read: no bytes
  };
  // Nothing when absent.
  std::optional<Entry> find(std::string_view name, u64 largest_bytes = ~u64{0});
  // Reads an entry like a stream of java.util.zip: all stored bytes, even if the stated size differs.
  std::optional<Entry> read_stored(std::string_view name);
  bool has(std::string_view name) const { return index_.contains(name); }
  // Returns the directory's entry with this name, or null.
  const ZipEntry* entry(std::string_view name) const {
    auto found = index_.find(name);
    return found == index_.end() ? nullptr : &entries()[found->second];
  }
  const std::vector<ZipEntry>& entries() const { return directory_.entries; }
  bool has_odd_field() const { return directory_.has_odd_field; }
  // Returns the name of META-INF/MANIFEST.MF as the jar spells it, in upper or lower case. Empty if there is no
  // manifest.
  std::string_view manifest_name() const { return manifest_name_; }

 private:
  // Returns the position of the entry's data, which is after its local header.
  std::optional<u64> start_of(const ZipEntry& entry) REQUIRES(mutex_);
  std::optional<Entry> stored(u64 start, u64 bytes) REQUIRES(mutex_);
  std::optional<Entry> unpacked(const ZipEntry& entry, u64 start, u64 bytes) REQUIRES(mutex_);

  ZipDirectory directory_;
  // The index of entries by name; its keys point into directory_.
  std::unordered_map<std::string_view, u32> index_;
  std::string_view manifest_name_;
  ZipSource source_;
  Mutex mutex_{LockRank::zip_file};  // guards source_'s position, once the archive is open
};

}  // namespace keyhole
