// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that is read at offsets while it stays open: class files and jars of the program, which somebody may replace
// or cut while it runs. In a mapping that would be a SIGBUS in the middle of a class; here it is a read that fails.
#pragma once

#include <span>
#include <string>

#include "runtime/base/types.h"

namespace keyhole {

class OpenedFile {
 public:
  OpenedFile() = default;
  ~OpenedFile();
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  // Empty, or why not ("No such file or directory"). Regular files only.
  std::string open(const std::string& path);
  // When it was opened.
  u64 size() const { return size_; }
  // False: the file has fewer bytes, or cannot be read.
  bool read(u64 offset, std::span<u8> into) const;

 private:
  int descriptor_ = -1;
  u64 size_ = 0;
};

}  // namespace keyhole
