// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Byte streams: writers and readers of numbers and texts, in the format of the code image. Numbers are little-endian. A
// text is stored as its length, then its bytes.
//
// A reader fails when it reads beyond the end, or meets a text longer than the rest of the stream. After a failure the
// reader returns 0 and empty texts, so the caller needs to check for failure only once, at the end.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::image {

class ByteWriter {
 public:
  template <typename Number> void put(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(static_cast<u32>(text.size()));
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename Number> Number get() {
    Number value{};
    std::string_view bytes = take(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view get_text() { return take(get<u32>()); }
  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view take(usize size) {
    has_failed_ |= size > rest_.size();
    if (has_failed_) return {};
    std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool has_failed_ = false;
};

}  // namespace keyhole::image
