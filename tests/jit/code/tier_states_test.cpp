// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of tier states.
#include "jit/code/tier_states.h"

#include <gtest/gtest.h>

namespace keyhole::tiers {
namespace {

TEST(TierStates, ColdAndQueuedMethodsGoOnAndRefusedOnesDoNot) {
  EXPECT_TRUE(is_transition(TierState::Cold, TierState::Profiling));
  EXPECT_TRUE(is_transition(TierState::Queued, TierState::Compiled));
  EXPECT_FALSE(is_transition(TierState::Cold, TierState::Compiled)) << "only a request compiles";
  for (const TierTransition& one : tier_transitions) {
    EXPECT_NE(one.from, TierState::Refused) << one.when;
    EXPECT_NE(one.from, one.to) << one.when;
  }
}

TEST(TierStates, EveryTransitionSaysWhoMakesItAndWhenOnce) {
  for (const TierTransition& one : tier_transitions) {
    EXPECT_FALSE(one.made_by.empty() || one.when.empty());
    auto is_same = [&](const TierTransition& other) {
      return other.from == one.from && other.to == one.to && other.made_by == one.made_by && other.when == one.when;
    };
    EXPECT_EQ(std::ranges::count_if(tier_transitions, is_same), 1) << one.when;
  }
}

}  // namespace
}  // namespace keyhole::tiers
