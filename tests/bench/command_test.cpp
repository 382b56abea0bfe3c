// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the code that the benchmarks' command lines share: it selects and rejects names.
#include "bench/command.h"

#include <gtest/gtest.h>

namespace keyhole::bench {
namespace {

TEST(BenchCommand, ChoosesNamesAndAll) {
  std::vector<std::string_view> known{"a", "b"}, chosen;
  EXPECT_EQ(choose({"b", "all"}, known, "lock", "simulated", chosen), "");
  EXPECT_EQ(chosen, (std::vector<std::string_view>{"b", "a", "b"}));
  EXPECT_EQ(choose({"c"}, known, "lock", "simulated", chosen), "no lock 'c' in the simulated world; --list names them");
}

TEST(BenchCommand, ComplainsAboutAFileThatCannotBeWritten) {
  EXPECT_EQ(write_text("", "text"), "");
  EXPECT_EQ(write_text("/nowhere/at/all", "text"), "cannot write /nowhere/at/all");
}

}  // namespace
}  // namespace keyhole::bench
