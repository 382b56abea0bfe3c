// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of a dump: buffered, optionally compressed. It keeps the first error, and writes nothing more after it.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/types.h"

namespace keyhole::gc::inspect {

enum class Compression : u8 { none, gzip, zstd };

class DumpFile {
 public:
  DumpFile(Compression compression, int level);
  ~DumpFile();
  DumpFile(const DumpFile&) = delete;

  // Creates the file; an existing one is never overwritten. False: error() says why.
  bool create(const std::string& path);
  void write(const void* bytes, usize count);
  // Writes the rest and closes the file. False when any byte did not reach the file.
  bool close();
  const std::string& error() const { return error_; }
  u64 file_bytes() const { return file_bytes_; }  // written to the file

 private:
  struct Compressor;
  void flush(bool last);
  void write_out(const char* bytes, usize count);

  static constexpr usize buffer_bytes = 256_KiB;
  std::unique_ptr<Compressor> compressor_;
  std::unique_ptr<char[]> buffer_;
  usize buffered_ = 0;
  u64 file_bytes_ = 0;
  int descriptor_ = -1;
  std::string error_;
};

}  // namespace keyhole::gc::inspect
