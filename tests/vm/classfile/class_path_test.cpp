// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests directories, jars, lists of them, and the boot path.
#include "vm/classfile/class_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/vm/classfile/fixture.h"
#include "vm/classfile/launcher_manifest.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

std::string text_of(std::span<const u8> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string deflated(const std::string& content) {
  std::string out(compressBound(content.size()) + 16, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

template <typename... Numbers> std::string record(std::string_view signature, Numbers... numbers) {
  std::string bytes = "PK" + std::string(signature);
  auto put = [&](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
  (put(numbers), ...);
  return bytes;
}

std::string jar_of(const Entries& entries, bool stored, const std::string& comment = "") {
  std::string jar, directory;
  for (const auto& [name, content] : entries) {
    std::string data = stored ? content : deflated(content);
    u32 packed = static_cast<u32>(data.size()), bytes = static_cast<u32>(content.size());
    u32 sum = static_cast<u32>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), bytes));
    u32 at = static_cast<u32>(jar.size());
    u16 method = stored ? 0 : 8, name_bytes = static_cast<u16>(name.size()), version = 20, none = 0;
    u32 time = 0x21 << 16;
    jar += record("\3\4", version, none, method, time, sum, packed, bytes, name_bytes, none) + name + data;
    directory += record("\1\2", version, version, none, method, time, sum, packed, bytes, name_bytes, none, none, none,
                        none, u32{0}, at) +
                 name;
  }
  u16 count = static_cast<u16>(entries.size()), none = 0;
  return jar + directory +
         record("\5\6", none, none, count, count, static_cast<u32>(directory.size()), static_cast<u32>(jar.size()),
                static_cast<u16>(comment.size())) +
         comment;
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_jar(const std::string& path, const Entries& entries, bool stored) {
  write_bytes(path, jar_of(entries, stored));
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

// Jars and files are truncated while the class path uses them. Entries that were read before stay valid, other entries
// may be missing, and no thread gets a SIGBUS.
TEST_F(ClassPathTest, FilesMayBeCutWhileTheyAreInUse) {
  ClassPath path(root_ + "/stored.jar:" + root_ + "/lib/deflated.jar:" + root_ + "/dir");
  auto stored = path.find("pkg/B.class"), file = path.find("pkg/A.class");
  ASSERT_TRUE(stored && file);
  ASSERT_TRUE(path.find("empty"));  // by now the directory of each jar has been read
  for (const char* cut : {"/stored.jar", "/lib/deflated.jar", "/dir/pkg/A.class"})
    std::filesystem::resize_file(root_ + cut, 0);
  EXPECT_EQ(text_of(stored->bytes), "only stored");
  EXPECT_EQ(text_of(file->bytes), "from stored");
  if (auto left = path.find("pkg/C.class"); left && !left->is_damaged)
    EXPECT_EQ(text_of(left->bytes), std::string(100000, 'c'));
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
  // The manifest of one.jar names two.jar and (escaped) "sp ace/three.jar"; that of two.jar names one.jar (a cycle) and
  // dir/. The http entry and the jar that does not exist add nothing.
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

// With KEYHOLE_FUZZ_JARS=100000, the test damages that many jars, from a new seed. A failure prints the seed.
TEST_F(ClassPathTest, DamagedJarsNeverCrash) {
  const char* wanted = getenv("KEYHOLE_FUZZ_JARS");
  u32 seed = wanted == nullptr ? 7 : std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  test::Random random(seed);
  Entries entries = {{"META-INF/MANIFEST.MF", "Class-Path: a.jar\n\n"}, {"pkg/C.class", std::string(9000, 'c')}};
  std::string deflated = jar_of(entries, false), stored = jar_of(entries, true, "a comment");
  std::string path = root_ + "/damaged.jar";
  for (int round = 0, count = wanted == nullptr ? 400 : atoi(wanted); round < count; ++round) {
    std::string damaged = round % 2 == 0 ? stored : deflated;
    if (random.below(5) == 0) damaged.resize(random.below(static_cast<u32>(damaged.size())));
    constexpr u8 edges[] = {0, 1, 0x7F, 0x80, 0xFF};
    for (u32 i = random.below(4); i > 0 && !damaged.empty(); --i) {
      // Two of three changes are in the last 200 bytes, because the jar's directory is there.
      u32 size = static_cast<u32>(damaged.size()), place = random.below(size);
      if (random.below(3) != 0) place = size - 1 - random.below(std::min(size, u32{200}));
      damaged[place] = static_cast<char>(random.below(2) == 0 ? edges[random.below(5)] : random.below(256));
    }
    write_bytes(path, damaged);
    for (ZipArchive::Access access : {ZipArchive::Access::read, ZipArchive::Access::mapped}) {
      ZipArchive archive;
      if (!archive.open(path, access).empty()) continue;
      for (const ZipEntry& entry : archive.entries()) archive.find(entry.name, 1_GiB);
    }
    ClassPath class_path(path);
    class_path.find("pkg/C.class");
    launcher_accepts(path);
  }
}

// The rows of launcher_manifest.h.
TEST_F(ClassPathTest, LauncherReadsManifestsByRulesOfItsOwn) {
  std::string path = root_ + "/some.jar";
  auto is_accepted = [&](std::string_view bytes) {
    write_bytes(path, bytes);
    return launcher_accepts(path);
  };
  const std::string name = "META-INF/MANIFEST.MF", good = "Main-Class: A\n\n", bad = "no attribute\n\n";
  for (bool stored : {true, false}) {
    auto accepts_text = [&](const std::string& text) { return is_accepted(jar_of({{name, text}}, stored)); };
    EXPECT_TRUE(accepts_text(good));
    EXPECT_TRUE(accepts_text("Main-Class: A")) << "the last line need not end";
    EXPECT_FALSE(accepts_text("Main-Class: A\n B")) << "unless it continues another one";
    EXPECT_TRUE(accepts_text("Main-Class\n : A\n"));
    EXPECT_FALSE(accepts_text("Main-Class:A\n\n"));
    EXPECT_FALSE(accepts_text(bad));
    EXPECT_TRUE(accepts_text(good + bad)) << "only the first section is read";
    EXPECT_TRUE(accepts_text(std::string("Main-Class: A\n\0bad", 18))) << "a zero ends the text";
    EXPECT_TRUE(is_accepted(jar_of({{name, good}, {name, bad}}, stored))) << "the first of several manifests counts";
    EXPECT_FALSE(is_accepted(jar_of({{name, bad}, {name, good}}, stored)));
    EXPECT_FALSE(is_accepted(jar_of({{"meta-inf/manifest.mf", good}}, stored)));
  }
  const std::string jar = jar_of({{name, good}, {"other", "text"}}, true);
  usize directory = jar.find("PK\1\2"), second = jar.find("PK\1\2", directory + 1), end = jar.find("PK\5\6");
  auto with = [&](usize place, char byte) {
    std::string changed = jar;
    changed[place] = byte;
    return changed;
  };
  EXPECT_TRUE(is_accepted(with(end + 20, 5))) << "a comment that is longer than the file";
  EXPECT_FALSE(is_accepted(jar + "rest"));
  EXPECT_TRUE(is_accepted(with(second, 'Q'))) << "the directory is read up to the manifest";
  EXPECT_FALSE(is_accepted(with(26, 9))) << "names of another length in the first header and the directory";
  EXPECT_TRUE(is_accepted(with(directory + 24, 3))) << "a stored manifest has all of its stored bytes";
  EXPECT_FALSE(is_accepted(with(directory + 10, 12))) << "another method";
}

// The rules of java.util.zip.ZipFile.
TEST_F(ClassPathTest, JarsAreReadAsTolerantlyAsByJava) {
  std::string path = root_ + "/some.jar";
  auto text = [&](std::string_view bytes, const char* name) -> std::string {
    write_bytes(path, bytes);
    ZipArchive archive;
    if (std::string problem = archive.open(path, ZipArchive::Access::read); !problem.empty()) return problem;
    auto found = archive.find(name);
    return !found ? "nothing" : found->is_damaged ? "damaged" : text_of(found->bytes);
  };
  const std::string damaged = "its directory is damaged";
  Entries entries = {{"one", "first"}, {"two", "second"}, {"one", "third"}};
  std::string jar = jar_of(entries, true);
  usize directory = jar.find("PK\1\2"), end = jar.find("PK\5\6");
  EXPECT_EQ(text(jar, "one"), "third") << "of two entries the last counts";
  EXPECT_EQ(text("#!/bin/sh\n" + jar, "two"), "second") << "something may stand before it";
  EXPECT_EQ(text(jar + "rest", "two"), "second") << "and behind it";
  EXPECT_EQ(text(jar_of(entries, true, "a comment PK\5\6"), "two"), "second");
  EXPECT_EQ(text("", "two"), "not a zip file");
  EXPECT_EQ(text(jar.substr(0, jar.size() - 1), "two"), "not a zip file");
  EXPECT_EQ(text(jar_of({}, true), "two"), "nothing");
  auto changed = [&](usize at, char byte) {
    std::string other = jar;
    other[at] = byte;
    return other;
  };
  EXPECT_EQ(text(changed(directory + 8, 1), "two"), damaged) << "encrypted";
  EXPECT_EQ(text(changed(directory + 10, 9), "two"), damaged) << "another method";
  EXPECT_EQ(text(changed(directory + 46, '\xFF'), "two"), damaged) << "a name that is no UTF-8";
  EXPECT_EQ(text(changed(directory + 30, 4), "two"), damaged) << "an extra field that overlaps the next entry";
  EXPECT_EQ(text(changed(end + 10, 99), "two"), damaged) << "more entries than the directory has room for";
  EXPECT_EQ(text(changed(end + 10, 1), "two"), "second") << "fewer";
  EXPECT_EQ(text(changed(14, 1), "one"), "third");
  EXPECT_EQ(text(changed(directory + 16, 77), "two"), "second") << "checksums are not compared";
  usize second = directory + 46 + 3;
  EXPECT_EQ(text(changed(second + 42, 1), "two"), "damaged") << "no local header there";
  EXPECT_EQ(text(changed(second + 24, 7), "two"), "damaged") << "more bytes than are stored";
  EXPECT_EQ(text(changed(second + 24, 3), "two"), "sec") << "fewer";
  EXPECT_EQ(text(changed(second + 27, '\x80'), "two"), "") << "a negative size";
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
