// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the code image without a VM: keys of functions, the file, replacement of objects. For methods and profiles:
// tests/jit/code_image.py.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "jit/image/byte_stream.h"
#include "jit/image/code_image.h"
#include "jit/image/image_file.h"

namespace keyhole::image {
namespace {

namespace fs = std::filesystem;

class CodeImageTest : public testing::Test {
 protected:
  CodeImageTest() {
    std::string name = (fs::temp_directory_path() / "code-image-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CodeImageTest() override { fs::remove_all(folder_); }
  std::string file() const { return (folder_ / "image").string(); }
  static void put(const std::string& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  std::string bytes_of_file() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

// Makes a function that adds `number` to the first parameter, and calls `name`.
low::Function function(u64 number, std::string_view name) {
  low::Function function;
  function.name = "a name";
  low::Builder builder(function);
  builder.go_to(builder.new_block());
  low::NodeId slot = builder.parameter(low::Parameter::Slot);
  low::NodeId address = builder.address(slot, low::no_node, 1, 8);
  builder.store(address, builder.constant(low::Type::I64, number), low::Alias::JavaFrame);
  builder.call_leaf(name, low::Type::None, {slot});
  builder.store(address, builder.site_address({number, 2}), low::Alias::JavaFrame);
  builder.ret(builder.constant(low::Type::I32, 0), builder.constant(low::Type::I64, 0), slot);
  return function;
}

constexpr std::string_view process_key = "header compact\nbuild 1\nplug-in 2\nprocessor x\n\n";

TEST_F(CodeImageTest, KeyIsOfWhatIsCompiled) {
  low::Function first = function(1, "leaf"), other = function(1, "leaf");
  other.name = "another name";
  other.sites[0] = {77, 78};
  EXPECT_EQ(key_of(first), key_of(other));
  EXPECT_NE(key_of(first), key_of(function(2, "leaf")));
  EXPECT_NE(key_of(first), key_of(function(1, "leaves")));
  other.loops_over_arrays = true;
  EXPECT_NE(key_of(first), key_of(other));
}

TEST_F(CodeImageTest, FunctionWithMarksHasNoKey) {
  low::Function marked = function(1, "leaf");
  marked.marks.push_back("a line");
  EXPECT_FALSE(key_of(marked));
}

TEST_F(CodeImageTest, FileGivesBackWhatWasWritten) {
  EXPECT_FALSE(read_file(file(), process_key).exists);
  ASSERT_EQ(write_file(file(), process_key, "content"), "");
  Content content = read_file(file(), process_key);
  EXPECT_EQ(content.problem, "");
  EXPECT_EQ(content.bytes, "content");
}

TEST_F(CodeImageTest, FileOfAnotherKeyIsRefusedInWords) {
  ASSERT_EQ(write_file(file(), process_key, "content"), "");
  EXPECT_EQ(read_file(file(), "header tiny\nbuild 1\nplug-in 2\nprocessor x\n\n").problem,
            "it was made for another header (compact; this is tiny)");
  EXPECT_EQ(read_file(file(), "header compact\nbuild 3\nplug-in 2\nprocessor x\n\n").problem,
            "it was made by another build of Keyhole");
  EXPECT_EQ(read_file(file(), "header compact\nbuild 1\nplug-in 2\nprocessor y z\n\n").problem,
            "it was made for another processor (x; this is y z)");
}

TEST_F(CodeImageTest, FileThatIsCutOrChangedIsRefused) {
  ASSERT_EQ(write_file(file(), process_key, std::string(1000, 'a') + "content"), "");
  std::string bytes = bytes_of_file();
  for (usize length = 0; length < bytes.size(); ++length) {
    put(file(), bytes.substr(0, length));
    EXPECT_NE(read_file(file(), process_key).problem, "") << length;
  }
  for (usize at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    put(file(), changed);
    Content content = read_file(file(), process_key);
    EXPECT_TRUE(!content.problem.empty() || content.bytes == std::string(1000, 'a') + "content") << at;
  }
}

TEST_F(CodeImageTest, WhatIsNoImageStaysAsItIs) {
  put(file(), "a letter\n");
  EXPECT_EQ(CodeImage::open(file(), std::string(process_key)), nullptr);
  EXPECT_EQ(bytes_of_file(), "a letter\n");
}

TEST_F(CodeImageTest, ContentThatMakesNoSenseIsRefused) {
  ByteWriter content;
  content.put(u32{1'000'000'000});
  ASSERT_EQ(write_file(file(), process_key, content.take()), "");
  EXPECT_EQ(CodeImage::open(file(), std::string(process_key)), nullptr);
}

TEST_F(CodeImageTest, ObjectsAreThereInTheNextRun) {
  FunctionKey first = *key_of(function(1, "leaf")), second = *key_of(function(2, "leaf"));
  std::unique_ptr<CodeImage> image = CodeImage::open(file(), std::string(process_key));
  image->keep_object(first, "object 1");
  image->save();
  image = CodeImage::open(file(), std::string(process_key));
  EXPECT_TRUE(image->has_object(first));
  EXPECT_FALSE(image->has_object(second));
  EXPECT_EQ(image->object_of(first), "object 1");
  EXPECT_EQ(image->object_of(second), "");
}

// An object that no run uses is dropped after some runs. An object that runs use stays.
TEST_F(CodeImageTest, WhatIsNotUsedIsDropped) {
  FunctionKey used = *key_of(function(1, "leaf")), idle = *key_of(function(2, "leaf"));
  std::unique_ptr<CodeImage> image = CodeImage::open(file(), std::string(process_key));
  image->keep_object(used, "used");
  image->keep_object(idle, "idle");
  for (u64 run = 0; run < 10; ++run) {
    image->keep_object(*key_of(function(100 + run, "leaf")), "new");
    image->save();
    image = CodeImage::open(file(), std::string(process_key));
    EXPECT_EQ(image->object_of(used), "used") << run;
    if (run < 5) EXPECT_TRUE(image->has_object(idle)) << run;
  }
  EXPECT_FALSE(image->has_object(idle));
}

TEST_F(CodeImageTest, FileThatOthersMayWriteIsRefused) {
  ASSERT_EQ(write_file(file(), process_key, "content"), "");
  struct stat status;
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & (S_IWGRP | S_IWOTH), 0u);
  for (mode_t mode : {0620u, 0602u, 0666u}) {
    ASSERT_EQ(chmod(file().c_str(), mode), 0);
    Content content = read_file(file(), process_key);
    EXPECT_NE(content.problem.find("others may write it"), std::string::npos) << content.problem;
    EXPECT_EQ(content.bytes, "");
  }
}

TEST_F(CodeImageTest, LinkIsRefused) {
  ASSERT_EQ(write_file(file(), process_key, "content"), "");
  fs::create_symlink(file(), folder_ / "link");
  EXPECT_EQ(read_file((folder_ / "link").string(), process_key).problem, "it is a symbolic link");
}

// A compressed frame of 19 bytes claims to hold a gigabyte.
TEST_F(CodeImageTest, SizeThatCannotBeIsRefusedBeforeMemoryIsTaken) {
  std::string frame("\x28\xb5\x2f\xfd\xa4", 5);  // zstd: the content's size follows in four bytes
  u32 size = 1u << 30;
  frame.append(reinterpret_cast<const char*>(&size), sizeof size).append(10, '\0');
  put(file(), "keyhole code image 1\n" + std::string(process_key) + frame);
  EXPECT_EQ(read_file(file(), process_key).problem, "it is damaged");
}

// Changes some bytes of an image's content and updates the checksum. The image is then read or rejected.
// KEYHOLE_FUZZ_IMAGES is the number of images.
TEST_F(CodeImageTest, ChangedContentIsReadOrRefused) {
  ByteWriter out;
  out.put(u32{2});
  for (std::string_view name : {"A.a ()V 0000000000000001", "B.b (I)I 0000000000000002"}) {
    out.put_text(name);
    out.put_text("a profile");
    out.put(u8{0});
    out.put(u8{1});
    out.put(u32{1});
    out.put(i32{7});
    out.put(u64{1});
    out.put(u64{2});
    out.put(u32{1});
    out.put_text("B.b (I)I 0000000000000002");
    out.put(u32{1});
    out.put_text("A.a ()V 0000000000000001");
    out.put(u32{3});
    out.put(u8{1});
  }
  out.put(u32{1});
  out.put(u64{1});
  out.put(u64{2});
  out.put(u8{0});
  out.put_text("an object");
  std::string content = out.take();
  auto opens = [&](const std::string& bytes) {
    EXPECT_EQ(write_file(file(), process_key, bytes), "");
    std::unique_ptr<CodeImage> image = CodeImage::open(file(), std::string(process_key));
    if (image != nullptr) image->keep_object({5, 6}, "new"), image->save();
    return image != nullptr;
  };
  ASSERT_TRUE(opens(content));
  const char* wanted = getenv("KEYHOLE_FUZZ_IMAGES");
  std::mt19937 random(wanted == nullptr ? 1 : std::random_device()());
  constexpr u8 edges[] = {0, 1, 0x7F, 0x80, 0xFF};
  usize opened = 0;
  for (int i = 0, count = wanted == nullptr ? 300 : atoi(wanted); i < count; ++i) {
    std::string changed = content;
    for (u32 k = 1 + random() % 3; k > 0; --k)
      changed[random() % changed.size()] = static_cast<char>(random() % 2 == 0 ? edges[random() % 5] : random());
    if (random() % 4 == 0) changed.resize(random() % changed.size());
    opened += opens(changed);
  }
  EXPECT_GT(opened, 0u);
}

}  // namespace
}  // namespace keyhole::image
