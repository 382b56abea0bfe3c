// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that is mapped read-only as a whole, until the object is destroyed. Used for lib/modules and the overlay,
// which nobody changes while the VM runs. For files of the program, use opened_file.h.
#pragma once

#include <span>
#include <string>

#include "runtime/base/types.h"

namespace keyhole {

class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Maps the file. Returns an empty string, or the error ("No such file or directory"). An empty file has no bytes.
  std::string open(const std::string& path);
  std::span<const u8> bytes() const { return {data_, size_}; }
  // Lets the kernel forget which pages this process has read. They stay in its page cache: the next read of one maps it
  // again, so pointers stay valid.
  void release_pages() const;

 private:
  const u8* data_ = nullptr;
  usize size_ = 0;
};

}  // namespace keyhole
