// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of total store order: visits all states of a litmus test in which each thread has a store buffer.
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <sstream>

#include "tests/vm/tools/memory_models/litmus.h"

namespace keyhole::litmus {

std::vector<Subject>& subjects() {
  static auto* list = new std::vector<Subject>;
  return *list;
}

std::vector<std::string> words_of(const std::string& thread) {
  std::istringstream stream(thread);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

namespace {

struct Thread {
  usize at = 0;  // its next step
  std::vector<int> loaded;
  std::deque<std::pair<char, int>> buffer;
  auto operator<=>(const Thread&) const = default;
};
struct State {
  std::vector<Thread> threads;
  std::map<char, int> memory;
  std::optional<usize> owner;  // of the monitor
  auto operator<=>(const State&) const = default;
};

// Executes a thread's next step. Returns false if it has to wait.
bool step(State& state, usize number, const std::string& word) {
  Thread& thread = state.threads[number];
  char variable = word[0];
  bool stores = word.size() == 3, is_volatile = isupper(variable) != 0, adds = word == "x+";
  bool drains = word == "|" || word == "(" || word == ")" || adds || (is_volatile && stores);
  if (drains && !thread.buffer.empty()) return false;
  if (word == "(" && state.owner) return false;
  ++thread.at;
  if (word == "(") {
    state.owner = number;
  } else if (word == ")") {
    state.owner.reset();
  } else if (adds) {
    thread.loaded.push_back(state.memory[variable]++);
  } else if (stores && is_volatile) {
    state.memory[variable] = word[2] - '0';
  } else if (stores) {
    thread.buffer.emplace_back(variable, word[2] - '0');
  } else if (word != "|") {
    int value = state.memory[variable];
    for (auto [stored, newest] : thread.buffer) value = stored == variable ? newest : value;
    thread.loaded.push_back(value);
  }
  return true;
}

}  // namespace

std::set<std::string> outcomes_of_buffers(const Threads& threads) {
  std::vector<std::vector<std::string>> programs;
  for (const std::string& thread : threads) programs.push_back(words_of(thread));
  State first{.threads = std::vector<Thread>(threads.size()), .memory = {}, .owner = {}};
  for (char variable : {'x', 'y', 'z', 'X', 'Y', 'Z'}) first.memory[variable] = 0;
  std::set<State> known{first};
  std::vector<State> left{first};
  std::set<std::string> outcomes;
  while (!left.empty()) {
    State state = left.back();
    left.pop_back();
    bool is_end = true;
    auto reach = [&](State next) {
      if (known.insert(next).second) left.push_back(std::move(next));
    };
    for (usize i = 0; i < threads.size(); ++i) {
      const Thread& thread = state.threads[i];
      is_end &= thread.at == programs[i].size() && thread.buffer.empty();
      if (State next = state; !thread.buffer.empty()) {
        auto [variable, value] = thread.buffer.front();
        next.threads[i].buffer.pop_front();
        next.memory[variable] = value;
        reach(std::move(next));
      }
      State next = state;
      if (thread.at != programs[i].size() && step(next, i, programs[i][thread.at])) reach(std::move(next));
    }
    if (!is_end) continue;
    std::string outcome;
    for (const Thread& thread : state.threads)
      for (int value : thread.loaded) outcome += (outcome.empty() ? "" : " ") + std::to_string(value);
    outcomes.insert(outcome);
  }
  return outcomes;
}

}  // namespace keyhole::litmus
