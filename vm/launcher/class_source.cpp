// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks a class file from its first byte to the attributes of the class, which come last (JVMS 4.1).
#include "vm/launcher/class_source.h"

#include <vector>

#include "runtime/base/types.h"

namespace keyhole {
namespace {

class Walk {
 public:
  explicit Walk(const std::string& bytes) : bytes_(bytes) {}

  // Advances to the SourceFile attribute. False: the file is damaged, or does not have the attribute.
  bool to_source_file() {
    constexpr u64 magic = 0xCAFEBABE;
    if (number(4) != magic) return false;
    skip(4);
    if (!constants()) return false;
    skip(2);
    this_class_ = number(2);
    skip(2);
    skip(2 * number(2));
    for (int members = 0; members < 2; ++members) {  // fields, methods
      for (u64 left = number(2); left > 0 && !failed_; --left) {
        skip(6);
        for (u64 attributes = number(2); attributes > 0 && !failed_; --attributes) skip_attribute();
      }
    }
    for (u64 attributes = number(2); attributes > 0 && !failed_; --attributes) {
      if (text(number(2)) != "SourceFile") {
        skip(number(4));
        continue;
      }
      skip(4);
      source_file_ = number(2);
      return !failed_ && at(source_file_) != 0;
    }
    return false;
  }

  std::string source_file() { return text(source_file_); }
  u64 place_of_source_file() { return at(source_file_); }  // of its length
  std::string class_name() {
    u64 place = at(this_class_);
    return place == 0 ? std::string() : text(number_at(place, 2));
  }

 private:
  u64 number_at(u64 place, u32 size) {
    if (place + size > bytes_.size()) {
      failed_ = true;
      return 0;
    }
    u64 value = 0;
    for (u32 i = 0; i < size; ++i) value = value << 8 | static_cast<u8>(bytes_[place + i]);
    return value;
  }
  u64 number(u32 size) {
    u64 value = number_at(place_, size);
    place_ += size;
    return value;
  }
  void skip(u64 count) { place_ += count; }
  void skip_attribute() {
    skip(2);
    skip(number(4));
  }
  // The offset of a constant's contents; 0: there is no such constant.
  u64 at(u64 index) const { return index < constants_.size() ? constants_[index] : 0; }
  std::string text(u64 index) {
    u64 place = at(index);
    if (place == 0) return {};
    u64 length = number_at(place, 2);
    return failed_ || place + 2 + length > bytes_.size() ? std::string() : bytes_.substr(place + 2, length);
  }

  bool constants() {
    const u64 count = number(2);
    constants_.assign(count, 0);
    for (u64 i = 1; i < count && !failed_; ++i) {
      const u64 tag = number(1);
      constants_[i] = place_;
      switch (tag) {
        case 1: skip(number(2)); break;  // Utf8
        case 7:
        case 8:
        case 16:
        case 19:
        case 20: skip(2); break;  // Class, String, MethodType, Module, Package
        case 15: skip(3); break;  // MethodHandle
        case 5:
        case 6:
          skip(8);
          ++i;
          break;  // Long and Double take two indices
        case 3:
        case 4:
        case 9:
        case 10:
        case 11:
        case 12:
        case 17:
        case 18: skip(4); break;
        default: return false;
      }
    }
    return !failed_;
  }

  const std::string& bytes_;
  u64 place_ = 0;
  bool failed_ = false;
  std::vector<u64> constants_;
  u64 this_class_ = 0, source_file_ = 0;
};

}  // namespace

ClassSource source_of_class(const std::string& bytes) {
  Walk walk(bytes);
  if (!walk.to_source_file()) return {};
  std::string name = walk.class_name();
  usize slash = name.rfind('/');
  return {slash == std::string::npos ? std::string() : name.substr(0, slash + 1), walk.source_file()};
}

std::string with_source_file(const std::string& bytes, const std::string& source_file) {
  Walk walk(bytes);
  if (!walk.to_source_file()) return bytes;
  u64 place = walk.place_of_source_file();
  usize old_size = walk.source_file().size();
  std::string length = {static_cast<char>(source_file.size() >> 8), static_cast<char>(source_file.size())};
  return bytes.substr(0, place) + length + source_file + bytes.substr(place + 2 + old_size);
}

}  // namespace keyhole
