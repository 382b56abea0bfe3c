// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The code image without a VM: keys of functions, the file, objects that are replaced. Methods and profiles:
// tests/jit/code_image.py.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
  static void put(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::string bytes_of_file() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

// Adds `number` to the first parameter, and calls `name`.
low::Function function(u64 number, std::string_view name) {
  low::Function function;
  function.name = "a name";
  low::Builder builder(function);
  builder.go_to(builder.new_block());
  low::NodeId home = builder.parameter(low::Parameter::Home);
  low::NodeId address = builder.address(home, low::no_node, 1, 8);
  builder.store(address, builder.constant(low::Type::I64, number), low::Alias::JavaFrame);
  builder.call_leaf(name, low::Type::None, {home});
  builder.store(address, builder.site_address({number, 2}), low::Alias::JavaFrame);
  builder.ret(builder.constant(low::Type::I32, 0), builder.constant(low::Type::I64, 0), home);
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

// An object that no run uses is dropped in time, one that is used is not.
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

}  // namespace
}  // namespace keyhole::image
