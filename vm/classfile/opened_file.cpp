// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a file by open and pread.
#include "vm/classfile/opened_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace keyhole {

OpenedFile::~OpenedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string OpenedFile::open(const std::string& path) {
  // With O_NONBLOCK, opening a pipe does not wait for its writer.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return strerror(errno);
  if (!S_ISREG(status.st_mode)) return "not a regular file";
  size_ = static_cast<u64>(status.st_size);
  return {};
}

bool OpenedFile::read(u64 offset, std::span<u8> into) const {
  while (!into.empty()) {
    ssize_t count = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    offset += static_cast<u64>(count);
    into = into.subspan(static_cast<usize>(count));
  }
  return true;
}

}  // namespace keyhole
