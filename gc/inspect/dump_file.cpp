// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing, and compressing with zlib or zstd.
#include "gc/inspect/dump_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

namespace keyhole::gc::inspect {

// The compression streams. One of the two is in use, or none.
struct DumpFile::Compressor {
  z_stream gzip{};
  bool gzip_is_open = false;
  ZSTD_CStream* zstd = nullptr;
  char output[64_KiB];
};

DumpFile::DumpFile(Compression compression, int level)
    : compressor_(std::make_unique<Compressor>()), buffer_(std::make_unique<char[]>(buffer_bytes)) {
  constexpr int gzip_format = 15 + 16, memory_level = 8;
  if (compression == Compression::gzip) {
    compressor_->gzip_is_open =
        deflateInit2(&compressor_->gzip, level, Z_DEFLATED, gzip_format, memory_level, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!compressor_->gzip_is_open) error_ = "no memory for the compressor";
  } else if (compression == Compression::zstd) {
    compressor_->zstd = ZSTD_createCStream();
    if (compressor_->zstd == nullptr || ZSTD_isError(ZSTD_initCStream(compressor_->zstd, level)))
      error_ = "no memory for the compressor";
  }
}

DumpFile::~DumpFile() {
  if (compressor_->gzip_is_open) deflateEnd(&compressor_->gzip);
  ZSTD_freeCStream(compressor_->zstd);
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool DumpFile::create(const std::string& path) {
  if (!error_.empty()) return false;
  descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0) error_ = strerror(errno);
  return descriptor_ >= 0;
}

void DumpFile::write(const void* bytes, usize count) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    usize part = std::min(count, buffer_bytes - buffered_);
    memcpy(buffer_.get() + buffered_, from, part);
    buffered_ += part;
    from += part;
    count -= part;
    if (buffered_ == buffer_bytes) flush(false);
  }
}

void DumpFile::flush(bool last) {
  usize count = buffered_;
  buffered_ = 0;
  if (!error_.empty()) return;
  Compressor& compressor = *compressor_;
  if (compressor.gzip_is_open) {
    compressor.gzip.next_in = reinterpret_cast<Bytef*>(buffer_.get());
    compressor.gzip.avail_in = static_cast<uInt>(count);
    do {
      compressor.gzip.next_out = reinterpret_cast<Bytef*>(compressor.output);
      compressor.gzip.avail_out = sizeof compressor.output;
      deflate(&compressor.gzip, last ? Z_FINISH : Z_NO_FLUSH);
      write_out(compressor.output, sizeof compressor.output - compressor.gzip.avail_out);
    } while (compressor.gzip.avail_out == 0);
  } else if (compressor.zstd != nullptr) {
    ZSTD_inBuffer input{buffer_.get(), count, 0};
    for (;;) {
      ZSTD_outBuffer output{compressor.output, sizeof compressor.output, 0};
      usize left = ZSTD_compressStream2(compressor.zstd, &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) {
        error_ = ZSTD_getErrorName(left);
        return;
      }
      write_out(compressor.output, output.pos);
      if (last ? left == 0 : input.pos == input.size) return;
    }
  } else {
    write_out(buffer_.get(), count);
  }
}

void DumpFile::write_out(const char* bytes, usize count) {
  while (count > 0 && error_.empty()) {
    ssize_t written = ::write(descriptor_, bytes, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      error_ = strerror(errno);
      return;
    }
    bytes += written;
    count -= static_cast<usize>(written);
    file_bytes_ += static_cast<u64>(written);
  }
}

bool DumpFile::close() {
  flush(true);
  // The system may report a full disk only here.
  if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_.empty()) error_ = strerror(errno);
  descriptor_ = -1;
  return error_.empty();
}

}  // namespace keyhole::gc::inspect
