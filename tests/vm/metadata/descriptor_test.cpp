// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests reading descriptors, with brackets in class names too.
#include "vm/metadata/descriptor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace keyhole {
namespace {

std::vector<std::string> arguments_of(std::string_view descriptor) {
  std::vector<std::string> found;
  for (DescriptorIterator it(descriptor); !it.at_end(); it.next()) found.emplace_back(it.text());
  return found;
}

TEST(Descriptors, Arguments) {
  EXPECT_EQ(arguments_of("()V"), (std::vector<std::string>{}));
  EXPECT_EQ(arguments_of("(I[JLjava/lang/String;[[LA;D)V"),
            (std::vector<std::string>{"I", "[J", "Ljava/lang/String;", "[[LA;", "D"}));
  EXPECT_EQ(arguments_of("(L);[L(I)J;I)L()V;"), (std::vector<std::string>{"L);", "[L(I)J;", "I"}));
}

TEST(Descriptors, Slots) {
  EXPECT_EQ(argument_slots_of("()J"), 0u);
  EXPECT_EQ(argument_slots_of("(I[JLjava/lang/String;DJ)V"), 7u);
  EXPECT_EQ(argument_slots_of("(L)JJ;D)V"), 3u);
}

TEST(Descriptors, Results) {
  EXPECT_EQ(return_descriptor_of("()V"), "V");
  EXPECT_EQ(return_descriptor_of("(I)[J"), "[J");
  EXPECT_EQ(return_descriptor_of("(La)b;)Lc)d;"), "Lc)d;");
  EXPECT_EQ(return_type_of("(I)[J"), BasicType::Reference);
  EXPECT_EQ(return_type_of("(L)J;)D"), BasicType::Double);
  EXPECT_EQ(return_type_of("()L)V;"), BasicType::Reference);
}

}  // namespace
}  // namespace keyhole
