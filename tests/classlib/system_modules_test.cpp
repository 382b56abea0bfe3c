// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's modules as the class loaders see them.
#include "vm/natives/loader/system_modules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vm/classfile/class_path.h"

namespace keyhole {
namespace {

class SystemModules : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    BootPathOptions options;
    options.without_overlay = true;
    ASSERT_EQ(initialize_boot_path(options), "");
  }
};

TEST_F(SystemModules, NamesAreSortedAndHoldJavaBase) {
  const std::vector<std::string>& names = system_modules::names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_NE(std::find(names.begin(), names.end(), "java.base"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "java.logging"), names.end());
}

TEST_F(SystemModules, ResourcesAreFoundByModule) {
  EXPECT_FALSE(system_modules::resource("java.base", "java/lang/Object.class").empty());
  EXPECT_TRUE(system_modules::resource("java.logging", "java/lang/Object.class").empty());
  EXPECT_TRUE(system_modules::resource("no.such.module", "module-info.class").empty());
}

TEST_F(SystemModules, ProvidersComeFromModuleInfos) {
  std::vector<system_modules::Provider> found = system_modules::providers("java.nio.file.spi.FileSystemProvider");
  auto has = [&](std::string_view module, std::string_view implementation) {
    return std::any_of(found.begin(), found.end(), [&](auto& each) { return each.module == module && each.implementation == implementation; });
  };
  EXPECT_TRUE(has("java.base", "jdk.internal.jrtfs.JrtFileSystemProvider"));
  EXPECT_TRUE(has("jdk.zipfs", "jdk.nio.zipfs.ZipFileSystemProvider"));
  EXPECT_TRUE(system_modules::providers("no.such.Service").empty());
}

TEST_F(SystemModules, DamagedModuleInfosProvideNothing) {
  std::span<const u8> whole = system_modules::resource("java.base", "module-info.class");
  ASSERT_FALSE(whole.empty());
  EXPECT_FALSE(system_modules::provided_by(whole, "java/nio/file/spi/FileSystemProvider").empty());
  for (usize length = 0; length < whole.size(); length += 97) system_modules::provided_by(whole.first(length), "java/nio/file/spi/FileSystemProvider");
  EXPECT_TRUE(system_modules::provided_by(whole.first(10), "java/nio/file/spi/FileSystemProvider").empty());
  EXPECT_TRUE(system_modules::provided_by({}, "java/nio/file/spi/FileSystemProvider").empty());
}

}  // namespace
}  // namespace keyhole
