// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the JDK's image and the boot path over it.
#include "vm/classfile/jimage.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/vm/classfile/fixture.h"

namespace keyhole {
namespace {

class JImageTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(image_.open(test::jdk_home() + "/lib/modules"), ""); }
  JImage image_;
};

TEST_F(JImageTest, FindsAClassByItsFullName) {
  auto bytes = image_.find("/java.base/java/lang/Object.class");
  ASSERT_TRUE(bytes);
  ASSERT_GT(bytes->size(), 100u);
  EXPECT_EQ((*bytes)[0], 0xCA);
  EXPECT_GE((*bytes)[7], 61);  // the version of the class file: 61 is that of JDK 17
}

TEST_F(JImageTest, AbsentNamesAreAbsent) {
  for (const char* name :
       {"", "/", "/java.base", "/java.base/", "java.base/java/lang/Object.class", "/java.base/java/lang/Objekt.class",
        "/java.base/java/lang/Object", "/java.desktop/java/lang/Object.class"}) {
    EXPECT_FALSE(image_.find(name)) << name;
  }
}

TEST_F(JImageTest, FindsResourcesWithoutExtensionOrFolder) {
  EXPECT_TRUE(image_.find("/java.base/module-info.class"));
  EXPECT_TRUE(image_.find("/java.base/java/lang/uniName.dat"));
}

TEST_F(JImageTest, KnowsTheModuleOfAPackage) {
  EXPECT_EQ(image_.module_of_package("java.lang"), "java.base");
  EXPECT_EQ(image_.module_of_package("java.util.logging"), "java.logging");
  EXPECT_EQ(image_.module_of_package("no.such.package"), "");
}

TEST_F(JImageTest, EveryEntryIsFoundByItsName) {
  usize count = 0;
  image_.for_each([&](std::string_view module, const std::string& name, std::span<const u8> bytes) {
    if (module != "java.base") return;
    auto found = image_.find(module, name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->data(), bytes.data());
    EXPECT_EQ(found->size(), bytes.size());
    ++count;
  });
  EXPECT_GT(count, 6000u);
}

TEST(JImageFile, RefusesWhatIsNoImage) {
  JImage image;
  EXPECT_NE(image.open("/proc/self/exe"), "");
  EXPECT_NE(image.open("/no/such/file"), "");
  EXPECT_FALSE(image.find("/java.base/java/lang/Object.class"));
}

// Returns the resident pages of mapped files, in bytes.
usize resident_file_bytes() {
  std::ifstream file("/proc/self/statm");
  usize size = 0, resident = 0, shared = 0;
  file >> size >> resident >> shared;
  return shared * static_cast<usize>(getpagesize());
}

TEST_F(JImageTest, PagesOfReadResourcesAreReleased) {
  usize before = resident_file_bytes(), most = 0, read = 0, count = 0;
  u32 sum = 0;
  image_.for_each([&](std::string_view, const std::string&, std::span<const u8> bytes) {
    for (usize at = 0; at < bytes.size(); at += 4096) sum += bytes[at];
    read += bytes.size();
    if (++count % 32 == 0) most = std::max(most, resident_file_bytes());
  });
  EXPECT_NE(sum, 0u);
  EXPECT_GT(read, 64_MiB);
  EXPECT_LT(most - before, 48_MiB);
}

// Damage in the index may hide entries but must not crash.
TEST(JImageFile, SurvivesDamagedIndexes) {
  std::ifstream file(test::jdk_home() + "/lib/modules", std::ios::binary);
  std::string head(4 << 20, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  std::string path = testing::TempDir() + "keyhole-damaged-modules";
  test::Random random(1);
  for (int round = 0; round < 20; ++round) {
    std::string damaged = head;
    if (round % 2 == 0) damaged.resize(random.below(static_cast<u32>(head.size())));
    for (int i = 0; i < 2000 && damaged.size() > 28; ++i)
      damaged[28 + random.below(static_cast<u32>(damaged.size()) - 28)] ^= static_cast<char>(random.below(256));
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
    JImage image;
    if (!image.open(path).empty()) continue;
    for (const char* name :
         {"/java.base/java/lang/Object.class", "/java.base/java/util/HashMap.class", "/packages/java.lang"})
      image.find(name);
    image.module_of_package("java.lang");
    image.for_each([](std::string_view, const std::string&, std::span<const u8>) {});
  }
  unlink(path.c_str());
}

}  // namespace
}  // namespace keyhole
