// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps a regular file by mmap.
#include "vm/classfile/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace keyhole {

MappedFile::~MappedFile() {
  if (size_ != 0) munmap(const_cast<u8*>(data_), size_);
}

std::string MappedFile::open(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return strerror(errno);
  struct stat status;
  std::string problem;
  if (fstat(file, &status) != 0) {
    problem = strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    problem = "not a regular file";
  } else if (status.st_size != 0) {
    void* mapping = mmap(nullptr, static_cast<usize>(status.st_size), PROT_READ, MAP_SHARED, file, 0);
    if (mapping == MAP_FAILED) {
      problem = strerror(errno);
    } else {
      data_ = static_cast<const u8*>(mapping);
      size_ = static_cast<usize>(status.st_size);
    }
  }
  ::close(file);
  return problem;
}

void MappedFile::release_pages() const {
  if (size_ != 0) madvise(const_cast<u8*>(data_), size_, MADV_DONTNEED);
}

}  // namespace keyhole
