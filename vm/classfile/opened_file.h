// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that is read at offsets while it stays open. For class files and jars of the program, which somebody may
// replace or truncate while it runs. Then a read fails, whereas a mapping would raise SIGBUS in the middle of a class.
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

  // Opens a regular file. Returns an empty string, or the error ("No such file or directory").
  std::string open(const std::string& path);
  // The file's size when it was opened.
  u64 size() const { return size_; }
  // Reads bytes at an offset. False: the file has fewer bytes, or cannot be read.
  bool read(u64 offset, std::span<u8> into) const;

 private:
  int descriptor_ = -1;
  u64 size_ = 0;
};

}  // namespace keyhole
