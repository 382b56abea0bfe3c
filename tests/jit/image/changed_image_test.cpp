// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes a field of a real image and updates its checksum, for tests/jit/code_image.py, which runs a VM with it:
//
//   KEYHOLE_CHANGE_IMAGE=FROM:TO:SEED jit_image_test --gtest_filter=ChangedImage.*
//
// Changes names, profiles, bcis, counts and lengths, but neither machine code nor the keys by which code is found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "jit/image/byte_stream.h"
#include "jit/image/image_file.h"

namespace keyhole::image {
namespace {

struct Field {
  usize offset, size;
  bool is_length;  // a length or a count; most wrong lengths and counts make the VM refuse the image
};

// Walks over the fields in the layout of CodeImage::write, except the objects.
class Fields {
 public:
  explicit Fields(std::string_view content) : content_(content) {
    for (u32 methods = length(); methods > 0; --methods) {
      text();
      profile();
      number(1);
      number(1);
      for (u32 codes = length(); codes > 0; --codes) number(4), at_ += 16;  // the loop; not the key
      for (u32 others = length(); others > 0; --others) text();
      for (u32 failed = length(); failed > 0; --failed) text(), number(4), number(1);
    }
    length();
  }
  const std::vector<Field>& all() const { return all_; }

 private:
  u32 length() { return number(4, true); }
  u32 number(usize size, bool is_length = false) {
    u32 value = 0;
    std::memcpy(&value, content_.data() + at_, size);
    all_.push_back({at_, size, is_length});
    at_ += size;
    return value;
  }
  void text() {
    u32 bytes = length();
    if (bytes != 0) all_.push_back({at_, bytes, false});
    at_ += bytes;
  }
  void profile() {
    u32 bytes = length();
    usize end = at_ + bytes;
    while (at_ + 4 <= end) number(4);
    at_ = end;
  }

  std::string_view content_;
  usize at_ = 0;
  std::vector<Field> all_;
};

void change(std::string& content, const std::vector<Field>& fields, std::mt19937& random) {
  auto any = [&]() -> const Field& {
    const Field* found = &fields[random() % fields.size()];
    while (found->is_length && random() % 16 != 0) found = &fields[random() % fields.size()];
    return *found;
  };
  const Field& field = any();
  char* place = content.data() + field.offset;
  if (field.size > 4) {  // a name: changes one byte, or takes another method's name
    const Field& other = any();
    if (other.size == field.size) content.replace(field.offset, field.size, content.substr(other.offset, other.size));
    else place[random() % field.size] = static_cast<char>(random());
    return;
  }
  u32 value = 0;
  std::memcpy(&value, place, field.size);
  constexpr u32 edges[] = {0, 1, 7, 0x7F, 0xFF, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
  value = random() % 3 == 0 ? value + static_cast<u32>(random() % 9) - 4 : edges[random() % std::size(edges)];
  std::memcpy(place, &value, field.size);
}

TEST(ChangedImage, IsWritten) {
  const char* wanted = getenv("KEYHOLE_CHANGE_IMAGE");
  if (wanted == nullptr) GTEST_SKIP() << "for tests/jit/code_image.py";
  std::istringstream words(wanted);
  std::string from, to, seed;
  std::getline(words, from, ':');
  std::getline(words, to, ':');
  std::getline(words, seed, ':');
  std::ifstream in(from, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  usize key = bytes.find('\n') + 1;
  std::string process_key = bytes.substr(key, bytes.find("\n\n") + 2 - key);
  Content content = read_file(from, process_key);
  ASSERT_EQ(content.problem, "");
  std::mt19937 random(static_cast<u32>(std::stoul(seed)));
  Fields fields(content.bytes);
  for (u32 i = 1 + random() % 20; i > 0; --i) change(content.bytes, fields.all(), random);
  EXPECT_EQ(write_file(to, process_key, content.bytes), "");
}

}  // namespace
}  // namespace keyhole::image
