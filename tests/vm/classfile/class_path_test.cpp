// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Directories, jars, lists of them, and the boot path.
#include "vm/classfile/class_path.h"

#include <gtest/gtest.h>
#include <minizip/zip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/vm/classfile/fixture.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

std::string text_of(std::span<const u8> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void write_jar(const std::string& path, const std::vector<std::pair<std::string, std::string>>& entries, bool stored) {
  zipFile file = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  ASSERT_NE(file, nullptr);
  for (const auto& [name, content] : entries) {
    zip_fileinfo info{};
    zipOpenNewFileInZip(file, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, stored ? 0 : Z_DEFLATED, 6);
    zipWriteInFileInZip(file, content.data(), static_cast<unsigned>(content.size()));
    zipCloseFileInZip(file);
  }
  zipClose(file, nullptr);
}

class ClassPathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "keyhole-class-path-" + std::to_string(getpid());
    std::filesystem::create_directories(root_ + "/dir/pkg");
    std::filesystem::create_directories(root_ + "/lib");
    std::ofstream(root_ + "/dir/pkg/A.class") << "from dir";
    write_jar(root_ + "/stored.jar", {{"pkg/A.class", "from stored"}, {"pkg/B.class", "only stored"}}, true);
    write_jar(root_ + "/lib/deflated.jar", {{"pkg/C.class", std::string(100000, 'c')}, {"empty", ""}}, false);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string root_;
};

TEST_F(ClassPathTest, TheFirstEntryWins) {
  ClassPath path(root_ + "/dir:" + root_ + "/stored.jar");
  auto found = path.find("pkg/A.class");
  ASSERT_TRUE(found);
  EXPECT_EQ(text_of(found->bytes), "from dir");
  EXPECT_TRUE(found->location.starts_with("file:/"));
  EXPECT_TRUE(found->location.ends_with("/dir/"));
  EXPECT_FALSE(found->in_archive);
  EXPECT_EQ(path.find_all("pkg/A.class").size(), 2u);
  auto second = path.find("pkg/B.class");
  ASSERT_TRUE(second);
  EXPECT_EQ(text_of(second->bytes), "only stored");
  EXPECT_TRUE(second->location.ends_with("/stored.jar"));
  EXPECT_TRUE(second->in_archive);
  EXPECT_NE(second->owner, nullptr) << "a copy: somebody may change the jar";
}

TEST_F(ClassPathTest, StoredEntriesOfTheOverlayAreUsedInPlace) {
  ZipArchive archive;
  ASSERT_EQ(archive.open(root_ + "/stored.jar", ZipArchive::Access::mapped), "");
  auto entry = archive.find("pkg/B.class");
  ASSERT_TRUE(entry);
  EXPECT_EQ(text_of(entry->bytes), "only stored");
  EXPECT_EQ(entry->owner, nullptr);
}

// What has been read stays, what has not may be there or not, and nobody gets a SIGBUS.
TEST_F(ClassPathTest, FilesMayBeCutWhileTheyAreInUse) {
  ClassPath path(root_ + "/stored.jar:" + root_ + "/lib/deflated.jar:" + root_ + "/dir");
  auto stored = path.find("pkg/B.class"), file = path.find("pkg/A.class");
  ASSERT_TRUE(stored && file);
  ASSERT_TRUE(path.find("empty"));   // the directory of each jar is known now
  for (const char* cut : {"/stored.jar", "/lib/deflated.jar", "/dir/pkg/A.class"})
    std::filesystem::resize_file(root_ + cut, 0);
  EXPECT_EQ(text_of(stored->bytes), "only stored");
  EXPECT_EQ(text_of(file->bytes), "from stored");
  if (auto left = path.find("pkg/C.class")) EXPECT_EQ(text_of(left->bytes), std::string(100000, 'c'));
  ClassPath folder(root_ + "/dir");
  EXPECT_EQ(folder.find("pkg/A.class")->bytes.size(), 0u);
}

TEST_F(ClassPathTest, WildcardTakesEveryJar) {
  ClassPath path(root_ + "/lib/*");
  auto found = path.find("pkg/C.class");
  ASSERT_TRUE(found);
  EXPECT_EQ(text_of(found->bytes), std::string(100000, 'c'));
  auto empty = path.find("empty");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->bytes.size(), 0u);
}

TEST_F(ClassPathTest, AManifestsClassPathComesRightBehindItsJar) {
  // one -> two, "sp ace/three" by escape; two -> one (a circle), dir/; the http entry and the missing one are nothing.
  std::filesystem::create_directories(root_ + "/sp ace");
  write_jar(root_ + "/one.jar",
            {{"META-INF/MANIFEST.MF",
              "Manifest-Version: 1.0\r\nClass-Path: two.jar http://x/y.jar none.jar s\r\n p%20ace/three.jar \r\n\r\n"},
             {"one", "1"}},
            false);
  write_jar(root_ + "/two.jar",
            {{"META-INF/MANIFEST.MF", "class-path: one.jar file:" + root_ + "/dir/\n"}, {"x", "two"}}, false);
  write_jar(root_ + "/sp ace/three.jar", {{"x", "three"}, {"three", "3"}}, false);
  ClassPath path(root_ + "/one.jar:" + root_ + "/stored.jar:" + root_ + "/two.jar");
  EXPECT_EQ(text_of(path.find("x")->bytes), "two");
  EXPECT_EQ(text_of(path.find("pkg/A.class")->bytes), "from dir") << "dir/ of two.jar, before stored.jar";
  EXPECT_EQ(text_of(path.find("three")->bytes), "3");
  EXPECT_EQ(path.find_all("x").size(), 2u) << "two.jar stands in the path and in the manifest";
  EXPECT_EQ(path.find_all("META-INF/MANIFEST.MF").size(), 2u);
  EXPECT_TRUE(path.find("pkg/B.class"));
  EXPECT_EQ(path.text(), root_ + "/one.jar:" + root_ + "/stored.jar:" + root_ + "/two.jar");
}

TEST_F(ClassPathTest, MissingEntriesAndNamesAreQuiet) {
  ClassPath path(root_ + "/nowhere:" + root_ + "/none.jar:" + root_ + "/dir");
  EXPECT_FALSE(path.find("pkg"));
  EXPECT_FALSE(path.find(""));
  EXPECT_FALSE(path.find("pkg/Nothing.class"));
  EXPECT_TRUE(path.find("pkg/A.class"));
  std::ofstream(root_ + "/none.jar") << "this is not a zip file";
  ClassPath damaged(root_ + "/none.jar");
  EXPECT_FALSE(damaged.find("pkg/A.class"));
}

TEST_F(ClassPathTest, DamagedJarsNeverCrash) {
  test::Random random(7);
  std::vector<u8> whole = test::read_file(root_ + "/lib/deflated.jar");
  std::string path = root_ + "/damaged.jar";
  for (int round = 0; round < 200; ++round) {
    std::vector<u8> damaged = whole;
    if (round % 3 == 0) damaged.resize(random.below(static_cast<u32>(whole.size())));
    for (u32 i = random.below(8); i > 0 && !damaged.empty(); --i)
      damaged[random.below(static_cast<u32>(damaged.size()))] ^= static_cast<u8>(random.below(256));
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<char*>(damaged.data()), static_cast<std::streamsize>(damaged.size()));
    ZipArchive archive;
    if (!archive.open(path, ZipArchive::Access::read).empty()) continue;
    for (const std::string& name : archive.names()) archive.find(name);
  }
}

TEST(BootPath, FindsClassesOfSeveralModules) {
  BootPathOptions options;
  options.java_home = test::jdk_home();
  options.without_overlay = true;
  ASSERT_EQ(initialize_boot_path(options), "");
  auto object = boot_find("java/lang/Object.class");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->location, "jrt:/java.base");
  auto logger = boot_find("java/util/logging/Logger.class");
  ASSERT_TRUE(logger);
  EXPECT_EQ(logger->location, "jrt:/java.logging");
  EXPECT_FALSE(boot_find("no/such/Thing.class"));
  EXPECT_FALSE(boot_find("Thing.class"));
  EXPECT_EQ(boot_module_of_package("java/util"), "java.base");
}

}  // namespace
}  // namespace keyhole
