// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A jar, through minizip over a mapping (the overlay: stored entries are returned in place) or over an opened file (the
// program's jars).
//
// The central directory is read once, at open, into an index of name -> position. Entry data is read under the
// archive's lock: minizip keeps one current entry. Memory for an entry is taken only when the file is large enough to
// hold what its header claims.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/mutex.h"
#include "vm/classfile/zip_source.h"

namespace keyhole {

class ZipArchive {
 public:
  ZipArchive() = default;
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  using Access = ZipSource::Access;
  std::string open(const std::string& path, Access access);   // empty, or the error

  struct Entry {
    std::span<const u8> bytes;
    // Null: the bytes are in the mapping and live as long as the archive.
    std::shared_ptr<const std::vector<u8>> owner;
    bool is_too_large = false;                      // larger than the limit, not unpacked: no bytes
  };
  // Nothing when absent, encrypted or damaged.
  std::optional<Entry> find(std::string_view name, u64 largest_bytes = ~u64{0});
  bool has(std::string_view name) const { return index_.contains(name); }
  const std::vector<std::string>& names() const { return names_; }   // in directory order

 private:
  struct Position { u64 directory_offset; u64 number; };

  // An entry that is not compressed. The file has these bytes.
  std::optional<Entry> stored(u64 start, u64 bytes) REQUIRES(mutex_);

  ZipSource source_;
  void* handle_ = nullptr;   // unzFile
  // Keys point into names_.
  std::unordered_map<std::string_view, Position> index_;
  std::vector<std::string> names_;
  Mutex mutex_{LockRank::zip_file};   // of handle_'s current entry, once the archive is open
};

}  // namespace keyhole
