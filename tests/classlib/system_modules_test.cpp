// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the JDK's modules as the class loaders see them.
#include "classlib/natives/java.base/loader/system_modules.h"
#include "classlib/natives/java.base/loader/module_info.h"

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
    return std::any_of(found.begin(), found.end(),
                       [&](auto& each) { return each.module == module && each.implementation == implementation; });
  };
  EXPECT_TRUE(has("java.base", "jdk.internal.jrtfs.JrtFileSystemProvider"));
  EXPECT_TRUE(has("jdk.zipfs", "jdk.nio.zipfs.ZipFileSystemProvider"));
  EXPECT_TRUE(system_modules::providers("no.such.Service").empty());
}

TEST_F(SystemModules, DamagedModuleInfosProvideNothing) {
  std::span<const u8> whole = system_modules::resource("java.base", "module-info.class");
  ASSERT_FALSE(whole.empty());
  EXPECT_FALSE(system_modules::read_module_info(whole).provides.empty());
  for (usize length = 0; length < whole.size(); length += 97) system_modules::read_module_info(whole.first(length));
  EXPECT_TRUE(system_modules::read_module_info(whole.first(10)).provides.empty());
  EXPECT_TRUE(system_modules::read_module_info({}).provides.empty());
}

TEST_F(SystemModules, ModuleInfosSayWhatIsRequiredUsedAndExported) {
  auto about = [](std::string_view module) {
    return system_modules::read_module_info(system_modules::resource(module, "module-info.class"));
  };
  system_modules::ModuleInfo sql = about("java.sql");
  auto requires_module = [&](std::string_view name) {
    return std::any_of(sql.required.begin(), sql.required.end(),
                       [&](auto& each) { return each.module == name && !each.only_to_compile; });
  };
  EXPECT_TRUE(requires_module("java.base") && requires_module("java.logging") && requires_module("java.xml"));
  EXPECT_FALSE(requires_module("java.desktop"));
  EXPECT_TRUE(sql.exports_to_all && sql.resolved_by_default);
  EXPECT_EQ(sql.uses, std::vector<std::string_view>{"java/sql/Driver"});
  EXPECT_TRUE(system_modules::uses("java.sql", "java.sql.Driver"));
  EXPECT_FALSE(system_modules::uses("java.sql", "java.nio.file.spi.FileSystemProvider"));
  EXPECT_FALSE(about("jdk.charsets").exports_to_all);
  EXPECT_FALSE(about("jdk.incubator.vector").resolved_by_default);
}

TEST_F(SystemModules, TheDefaultGraphIsClosedAndLeavesIncubatorsOut) {
  const std::vector<std::string>& graph = system_modules::default_names();
  auto has = [&](std::string_view name) { return std::binary_search(graph.begin(), graph.end(), name); };
  EXPECT_TRUE(has("java.base") && has("java.sql") && has("jdk.compiler"));
  EXPECT_TRUE(has("jdk.charsets"));  // the module exports nothing, but provides a service that java.base uses
  EXPECT_FALSE(has("jdk.incubator.vector"));
  for (const std::string& name : graph) {
    for (auto& each : system_modules::read_module_info(system_modules::resource(name, "module-info.class")).required) {
      EXPECT_TRUE(each.only_to_compile || has(each.module)) << name << " requires " << each.module;
    }
  }
}

}  // namespace
}  // namespace keyhole
