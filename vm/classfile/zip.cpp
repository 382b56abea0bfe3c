// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// minizip reading from a ZipSource.
#include "vm/classfile/zip.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include "runtime/base/mutex.h"

namespace keyhole {

namespace {

constexpr u64 deflate_best_ratio = 1032;

struct ZipCallbacks {
  static ZipSource* source(voidpf stream) { return static_cast<ZipSource*>(stream); }
  static voidpf open(voidpf opaque, const void*, int mode) {
    if ((mode & ZLIB_FILEFUNC_MODE_READWRITEFILTER) != ZLIB_FILEFUNC_MODE_READ) return nullptr;
    source(opaque)->seek(0);
    return opaque;
  }
  static uLong read(voidpf, voidpf stream, void* buffer, uLong count) {
    return source(stream)->read({static_cast<u8*>(buffer), count});
  }
  static ZPOS64_T tell(voidpf, voidpf stream) { return source(stream)->position(); }
  static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
    u64 base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? source(stream)->position()
               : origin == ZLIB_FILEFUNC_SEEK_END ? source(stream)->size()
                                                  : 0;
    return source(stream)->seek(base + offset) ? 0 : -1;
  }
  static int close(voidpf, voidpf) { return 0; }
  static int error(voidpf, voidpf) { return 0; }
};

}  // namespace

ZipArchive::~ZipArchive() {
  if (handle_ != nullptr) unzClose(handle_);
}

std::string ZipArchive::open(const std::string& path, Access access) {
  if (std::string problem = source_.open(path, access); !problem.empty()) return problem;
  zlib_filefunc64_def functions{};
  functions.zopen64_file = ZipCallbacks::open;
  functions.zread_file = ZipCallbacks::read;
  functions.ztell64_file = ZipCallbacks::tell;
  functions.zseek64_file = ZipCallbacks::seek;
  functions.zclose_file = ZipCallbacks::close;
  functions.zerror_file = ZipCallbacks::error;
  functions.opaque = &source_;
  handle_ = unzOpen2_64(path.c_str(), &functions);
  if (handle_ == nullptr) return "not a zip file";

  std::vector<Position> positions;
  char name[4096];
  for (int status = unzGoToFirstFile(handle_); status == UNZ_OK; status = unzGoToNextFile(handle_)) {
    unz_file_info64 info;
    unz64_file_pos position;
    if (unzGetCurrentFileInfo64(handle_, &info, name, sizeof name, nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzGetFilePos64(handle_, &position) != UNZ_OK) {
      break;
    }
    if (info.size_filename >= sizeof name) continue;
    names_.emplace_back(name, info.size_filename);
    positions.push_back({position.pos_in_zip_directory, position.num_of_file});
  }
  index_.reserve(names_.size());
  source_.read_less_ahead();
  // Of two entries with the same name the first counts.
  for (usize i = 0; i < names_.size(); ++i) index_.try_emplace(names_[i], positions[i]);
  return {};
}

std::optional<ZipArchive::Entry> ZipArchive::stored(u64 start, u64 bytes) {
  if (source_.mapped()) return Entry{source_.in_place(start, bytes), nullptr};
  auto copy = std::make_shared<std::vector<u8>>(bytes);
  if (!source_.seek(start) || source_.read(*copy) != bytes) return std::nullopt;
  return Entry{*copy, copy};
}

std::optional<ZipArchive::Entry> ZipArchive::find(std::string_view name, u64 largest_bytes) {
  auto found = index_.find(name);
  if (found == index_.end()) return std::nullopt;
  MutexLock guard(mutex_);
  unz64_file_pos position{found->second.directory_offset, found->second.number};
  unz_file_info64 info;
  if (unzGoToFilePos64(handle_, &position) != UNZ_OK ||
      unzGetCurrentFileInfo64(handle_, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK || (info.flag & 1) != 0 ||
      unzOpenCurrentFile(handle_) != UNZ_OK) {
    return std::nullopt;
  }
  std::optional<Entry> result;
  u64 start = unzGetCurrentFileZStreamPos64(handle_), left = start <= source_.size() ? source_.size() - start : 0;
  bool is_stored = info.compression_method == 0;
  u64 stored_bytes = is_stored ? info.uncompressed_size : info.compressed_size;
  if (info.uncompressed_size > largest_bytes) {
    result = Entry{{}, nullptr, true};
  } else if (stored_bytes > left || (!is_stored && info.uncompressed_size / deflate_best_ratio > stored_bytes)) {
    // The file is too short for what the header claims.
  } else if (is_stored) {
    result = stored(start, stored_bytes);
  } else {
    auto unpacked = std::make_shared<std::vector<u8>>(info.uncompressed_size);
    u64 filled = 0;
    while (filled < unpacked->size()) {
      u64 wanted = unpacked->size() - filled;
      if (wanted > 1_GiB) wanted = 1_GiB;
      int count = unzReadCurrentFile(handle_, unpacked->data() + filled, static_cast<unsigned>(wanted));
      if (count <= 0) break;
      filled += static_cast<u64>(count);
    }
    if (filled == unpacked->size()) result = Entry{*unpacked, unpacked};
  }
  // Reports a wrong checksum; then the data is invalid.
  if (unzCloseCurrentFile(handle_) != UNZ_OK) return std::nullopt;
  return result;
}

}  // namespace keyhole
