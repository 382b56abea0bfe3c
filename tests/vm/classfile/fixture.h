// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the class-file tests: the JDK's folder, repeatable randomness, parsing of bytes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/java_home.h"

namespace keyhole::test {

inline std::string jdk_home() { return find_library({}); }

class Random {
 public:
  explicit Random(u64 seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  u32 next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<u32>(state_ >> 16);
  }
  u32 below(u32 limit) { return next() % limit; }

 private:
  u64 state_;
};

inline std::vector<u8> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Big-endian class files, piece by piece.
class Bytes {
 public:
  Bytes& u1(u32 value) {
    bytes_.push_back(static_cast<u8>(value));
    return *this;
  }
  Bytes& u2(u32 value) { return u1(value >> 8).u1(value); }
  Bytes& u4(u32 value) { return u2(value >> 16).u2(value); }
  Bytes& text(std::string_view text) {
    u1(1).u2(static_cast<u32>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  Bytes& append(const Bytes& more) {
    bytes_.insert(bytes_.end(), more.bytes_.begin(), more.bytes_.end());
    return *this;
  }
  const std::vector<u8>& get() const { return bytes_; }
  u32 size() const { return static_cast<u32>(bytes_.size()); }

 private:
  std::vector<u8> bytes_;
};

inline void names_ready() {
  static bool once = (names::initialize(), true);
  (void)once;
}

}  // namespace keyhole::test
