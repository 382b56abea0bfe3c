// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests of the store buffers have exactly the outcomes that total store order permits, and with each deliberate
// fault (mutants.def) at least one litmus test has others, or an exploration that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/vm/tools/store_buffers/litmus.h"

namespace keyhole::litmus {
namespace {

const std::vector<Threads> tests = {
    {"x=1 y", "y=1 x"},              // store buffering
    {"x=1 | y", "y=1 | x"},          // with fences
    {"X=1 Y", "Y=1 X"},              // of volatiles
    {"( x=1 ) y", "( y=1 ) x"},      // with monitors
    {"y=1 x+", "x=1 | y"},           // with an atomic update
    {"x=1 y=1", "y x"},              // message passing
    {"x=1 Y=1", "Y x"},              // by a volatile
    {"x=1 x=2", "x x"},              // coherence
    {"x=1 x y", "y=1 y x"},          // a thread sees its own stores first
    {"x=1 x=2 x y", "y=1 x"},        // and the youngest of them
    {"x=1 y x", "x=2 | y=1 | x x"},  // a store between a store and its flush
};

const Subject* find(const std::string& name) {
  for (const Subject& subject : subjects())
    if (subject.name == name) return &subject;
  return nullptr;
}

std::string text_of(const std::set<std::string>& outcomes) {
  std::string text;
  for (const std::string& outcome : outcomes) text += "  " + outcome;
  return text;
}

// Returns the empty string, or how the litmus test differs from the model.
std::string difference(const Subject& subject, const Threads& threads) {
  Result result = subject.run(threads);
  if (!result.problem.empty()) return result.problem;
  std::set<std::string> expected = outcomes_of_model(threads);
  if (result.outcomes == expected) return {};
  return "outcomes" + text_of(result.outcomes) + ", and the model has" + text_of(expected);
}

TEST(StoreBuffers, LitmusTestsHaveTheOutcomesOfTheModel) {
  const Subject* original = find("original");
  ASSERT_NE(original, nullptr);
  for (const Threads& threads : tests) EXPECT_EQ(difference(*original, threads), "") << testing::PrintToString(threads);
}

TEST(StoreBuffers, TheModelHasWhatOnlyBuffersExplain) {
  EXPECT_TRUE(outcomes_of_model({"x=1 y", "y=1 x"}).contains("0 0"));
  EXPECT_FALSE(outcomes_of_model({"x=1 | y", "y=1 | x"}).contains("0 0"));
  EXPECT_FALSE(outcomes_of_model({"x=1 y=1", "y x"}).contains("1 0"));
}

class Mutant : public testing::TestWithParam<std::string> {};

TEST_P(Mutant, IsFound) {
  const Subject* mutant = find(GetParam());
  ASSERT_NE(mutant, nullptr);
  for (const Threads& threads : tests) {
    std::string found = difference(*mutant, threads);
    if (found.empty()) continue;
    std::cout << mutant->what << ": " << testing::PrintToString(threads) << ": " << found << '\n';
    return;
  }
  FAIL() << "no litmus test shows that " << mutant->what;
}

std::vector<std::string> names_of_mutants() {
  std::vector<std::string> names;
  for (const Subject& subject : subjects())
    if (subject.what[0] != '\0') names.emplace_back(subject.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(StoreBuffers, Mutant, testing::ValuesIn(names_of_mutants()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace keyhole::litmus
