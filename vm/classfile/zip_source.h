// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a jar, mapped or read, with a position. Reads of headers are scattered, so a window of the file saves
// system calls.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "vm/classfile/mapped_file.h"
#include "vm/classfile/opened_file.h"

namespace keyhole {

class ZipSource {
 public:
  enum class Access { mapped, read };

  std::string open(const std::string& path, Access access) {
    access_ = access;
    if (access == Access::read) return file_.open(path);
    return mapping_.open(path);
  }

  bool mapped() const { return access_ == Access::mapped; }
  u64 size() const { return mapped() ? mapping_.bytes().size() : file_.size(); }
  u64 position() const { return position_; }
  // Sets the position. Returns false if it is after the end of the file.
  bool seek(u64 position) {
    if (position > size()) return false;
    position_ = position;
    return true;
  }
  // Returns the number of bytes that were read: fewer at the end of the file, none when it cannot be read.
  usize read(std::span<u8> into) {
    into = into.first(std::min<u64>(into.size(), size() - position_));
    if (mapped()) {
      std::copy_n(mapping_.bytes().begin() + static_cast<i64>(position_), into.size(), into.begin());
    } else if (into.size() >= window_bytes_) {
      if (!file_.read(position_, into)) return 0;
    } else if (!into.empty()) {
      if (!move_window(into.size())) return 0;
      std::copy_n(window_.begin() + static_cast<i64>(position_ - window_start_), into.size(), into.begin());
    }
    position_ += into.size();
    return into.size();
  }
  std::span<const u8> in_place(u64 start, u64 bytes) const { return mapping_.bytes().subspan(start, bytes); }

  // Makes the window smaller, because from now on single entries are read.
  void read_less_ahead() {
    window_bytes_ = 4_KiB;
    window_ = {};
  }

 private:
  // Moves the window, if necessary, to have the next `bytes` bytes. There is room for more.
  bool move_window(usize bytes) {
    if (position_ >= window_start_ && position_ + bytes <= window_start_ + window_.size()) return true;
    window_.resize(std::min<u64>(window_bytes_, size() - position_));
    window_start_ = position_;
    if (file_.read(position_, window_)) return true;
    window_ = {};
    return false;
  }

  Access access_ = Access::read;
  MappedFile mapping_;
  OpenedFile file_;
  u64 position_ = 0;
  usize window_bytes_ = 64_KiB;
  u64 window_start_ = 0;
  std::vector<u8> window_;
};

}  // namespace keyhole
