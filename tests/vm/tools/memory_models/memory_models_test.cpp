// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests have exactly the outcomes that the memory model permits, total store order or that of Java. With each
// deliberate fault (mutants.def) at least one litmus test has others, or an exploration that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/vm/tools/memory_models/litmus.h"

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

const std::vector<Threads> java_tests = {
    {"x=1 yr=1", "ya x"},                // message passing by release and acquire
    {"x=1 yr=1", "yo x"},                // by release alone
    {"x=1 yo=1", "ya x"},                // by acquire alone
    {"x=1 > yo=1", "yo < x"},            // by fences
    {"x=1 > y=1", "y x"},                // by one fence
    {"x=1 yv=1", "yv x"},                // by a volatile access
    {"x=1 x+", "xa x"},                  // by an atomic update
    {"xo=1 | yo", "yo=1 | xo"},          // store buffering with fences
    {"xr=1 ya", "yr=1 xa"},              // with release and acquire
    {"xo=1 xo=2", "xo xo"},              // opaque reads are coherent
    {"xo=1", "xo y=1", "y xo"},          // but only where an order passes on what was seen
    {"xo=1", "xo yr=1", "ya xo"},        // as here
    {"xv=1 xv=2", "xv x"},               // a volatile read sees the last volatile write
    {"( x=1 x=2 )", "( x ) x"},          // monitors hide older writes
    {"xr=1", "yr=1", "xa ya", "ya xa"},  // independent reads of independent writes
    {"x=1", "x=2", "x x"},               // plain reads need not agree
};

struct LitmusTest {
  Threads threads;
  Model model;
};
std::vector<LitmusTest> all_tests() {
  std::vector<LitmusTest> all;
  for (Model model : {Model::total_store_order, Model::java})
    for (const Threads& threads : tests) all.push_back({threads, model});
  for (const Threads& threads : java_tests) all.push_back({threads, Model::java});
  return all;
}

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
std::string difference(const Subject& subject, const LitmusTest& test) {
  Result result = subject.run(test.threads, test.model);
  if (!result.problem.empty()) return result.problem;
  std::set<std::string> expected = outcomes_of(test.threads, test.model);
  if (result.outcomes == expected) return {};
  return "outcomes" + text_of(result.outcomes) + ", and the model has" + text_of(expected);
}

TEST(MemoryModels, LitmusTestsHaveTheOutcomesOfTheModel) {
  const Subject* original = find("original");
  ASSERT_NE(original, nullptr);
  for (const LitmusTest& test : all_tests())
    EXPECT_EQ(difference(*original, test), "") << testing::PrintToString(test.threads);
}

TEST(MemoryModels, TheModelsHaveWhatOnlyTheyExplain) {
  EXPECT_TRUE(outcomes_of_buffers({"x=1 y", "y=1 x"}).contains("0 0"));
  EXPECT_FALSE(outcomes_of_buffers({"x=1 | y", "y=1 | x"}).contains("0 0"));
  EXPECT_FALSE(outcomes_of_buffers({"x=1 y=1", "y x"}).contains("1 0"));
  EXPECT_TRUE(outcomes_of_java({"x=1 y=1", "y x"}).contains("1 0"));
  EXPECT_TRUE(outcomes_of_java({"x=1", "x x"}).contains("1 0"));
  EXPECT_FALSE(outcomes_of_java({"xo=1", "xo xo"}).contains("1 0"));
  EXPECT_FALSE(outcomes_of_java({"x=1 Y=1", "Y x"}).contains("1 0"));
  EXPECT_FALSE(outcomes_of_java({"x y=1", "y x=1"}).contains("1 1"));
}

class Mutant : public testing::TestWithParam<std::string> {};

TEST_P(Mutant, IsFound) {
  const Subject* mutant = find(GetParam());
  ASSERT_NE(mutant, nullptr);
  for (const LitmusTest& test : all_tests()) {
    std::string found = difference(*mutant, test);
    if (found.empty()) continue;
    std::cout << mutant->what << ": " << testing::PrintToString(test.threads) << ": " << found << '\n';
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

INSTANTIATE_TEST_SUITE_P(MemoryModels, Mutant, testing::ValuesIn(names_of_mutants()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace keyhole::litmus
