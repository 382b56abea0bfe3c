// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the hashed table of native methods: only existing rows are found, each by its own names. The link checker of
// classlib compares the rows with the class files.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "classlib/natives/binding.h"

namespace keyhole {
namespace {

TEST(NativesTable, FindsEveryRowAndNoneTwice) {
  static std::set<std::string> seen;
  seen.clear();
  natives::for_each_row(
      [](std::string_view class_name, std::string_view method_name, std::string_view descriptor, void*) {
        EXPECT_NE(natives::find(Symbol::intern(class_name), Symbol::intern(method_name), Symbol::intern(descriptor)),
                  nullptr)
            << class_name << "." << method_name << descriptor;
        EXPECT_TRUE(
            seen.insert(std::string(class_name) + "." + std::string(method_name) + std::string(descriptor)).second)
            << class_name << "." << method_name << descriptor << " has two rows";
      },
      nullptr);
  EXPECT_GT(seen.size(), 300u);
}

TEST(NativesTable, FindsNothingElse) {
  const Symbol* object = Symbol::intern("java/lang/Object");
  EXPECT_EQ(natives::find(object, Symbol::intern("hashCode"), Symbol::intern("()J")), nullptr);
  EXPECT_EQ(natives::find(object, Symbol::intern("hashcode"), Symbol::intern("()I")), nullptr);
  EXPECT_EQ(natives::find(Symbol::intern("java/lang/Objec"), Symbol::intern("thashCode"), Symbol::intern("()I")),
            nullptr);
}

}  // namespace
}  // namespace keyhole
