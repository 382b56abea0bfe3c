// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stacks as chains of sites: what is written is read again, and damaged chains end.
#include "runtime/recorder/stacks.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"

namespace keyhole::recorder {
namespace {

using Sites = std::vector<u32>;

TEST(StacksTest, EqualStacksHaveOneNumberAndShareCallers) {
  const u32 main = text("Main.main(Main.java:3) bci 2"), run = text("Bank.run(Bank.java:30) bci 9"),
            pay = text("Bank.pay(Bank.java:12) bci 4");
  const u32 inner = stack(std::array{pay, run, main});
  EXPECT_EQ(stack(std::array{pay, run, main}), inner);
  const u32 outer = stack(std::array{run, main});
  EXPECT_LT(outer, inner) << "T1";
  EXPECT_NE(stack(std::array{pay, main}), inner);
  EXPECT_EQ(stack({}), 0u);
  Recording recording;
  recording.texts[inner] = std::to_string(outer) + " " + std::to_string(pay);
  recording.texts[outer] = std::to_string(stack(std::array{main})) + " " + std::to_string(run);
  recording.texts[stack(std::array{main})] = "0 " + std::to_string(main);
  EXPECT_EQ(sites_of_stack(recording, inner), (Sites{main, run, pay}));
  EXPECT_EQ(sites_of_stack(recording, 0), Sites{});
}

TEST(StacksTest, DamagedStacksEnd) {
  Recording recording;
  for (const char* damaged : {"", "7", "7 ", " 7", "x 7", "7 x", "7 8 9", "99999999999 7", "-1 7"}) {
    recording.texts[5] = damaged;
    EXPECT_EQ(sites_of_stack(recording, 5), Sites{}) << damaged;
  }
  // A stack may not be its own caller, nor that of a stack that got its number earlier.
  for (const char* damaged : {"5 7", "6 7"}) {
    recording.texts[5] = damaged;
    EXPECT_EQ(sites_of_stack(recording, 5), Sites{7}) << damaged;
  }
  recording.texts[5] = "3 7";  // there is no text 3
  EXPECT_EQ(sites_of_stack(recording, 5), Sites{7});
}

TEST(StacksTest, MethodsOfSites) {
  EXPECT_EQ(method_of_site("Bank.pay(Bank.java:12) bci 4"), "Bank.pay");
  EXPECT_EQ(method_of_site("java.lang.System.arraycopy(Native Method)"), "java.lang.System.arraycopy");
  EXPECT_EQ(method_of_site(truncated_site), truncated_site);
}

}  // namespace
}  // namespace keyhole::recorder
