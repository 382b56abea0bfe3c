// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of the Java memory model: executes a litmus test in all interleavings, and lets each read see each write that
// has taken place and that happens-before does not hide (JLS 17.4.5). Sets of actions say what happens before what.
#include <algorithm>
#include <map>

#include "tests/vm/tools/memory_models/litmus.h"

namespace keyhole::litmus {

namespace {

using Actions = u64;             // a set of numbers of actions
constexpr u32 first_value = 63;  // the write of a variable's first value, which happens before everything
constexpr Actions bit(u32 action) { return Actions{1} << action; }
bool has(Actions set, u32 action) { return (set & bit(action)) != 0; }

struct Write {
  u32 action = first_value;
  int value = 0;
  char mode = 'f';  // p plain, o opaque, r release, v volatile, u update, f first
  Actions before = 0, released = 0;
};
struct Thread {
  usize at = 0;
  std::vector<int> loaded;
  Actions known = bit(first_value), seen = 0, fenced = 0;
};
struct CoherentRead {
  u32 action, write;
};
struct State {
  std::vector<Thread> threads;
  std::map<char, std::vector<Write>> writes;
  std::map<char, std::vector<CoherentRead>> reads;
  std::map<char, Actions> synchronised;  // by variable; '(': the monitor, '|': full fences
  u32 actions = 0;
  int owner = -1;
};

class JavaModel {
 public:
  explicit JavaModel(const Threads& threads) {
    for (const std::string& thread : threads) programs_.push_back(words_of(thread));
    State first;
    first.threads.resize(threads.size());
    for (char variable : {'x', 'y', 'z', 'X', 'Y', 'Z'}) first.writes[variable] = {Write{}};
    visit(first);
  }
  std::set<std::string> outcomes;

 private:
  static u32 act(State& state, Thread& thread) {
    thread.known |= bit(state.actions);
    return state.actions++;
  }
  static void acquire(State& state, Thread& thread, char on) { thread.known |= state.synchronised[on]; }
  static void release(State& state, const Thread& thread, char on) { state.synchronised[on] |= thread.known; }

  static void write(State& state, Thread& thread, char variable, char mode, int value) {
    Actions before = thread.known;
    u32 action = act(state, thread);
    bool releases = mode == 'r' || mode == 'v' || mode == 'u';
    if (mode == 'v' || mode == 'u') release(state, thread, variable);
    state.writes[variable].push_back({action, value, mode, before, releases ? thread.known : thread.fenced});
  }

  static bool is_visible(const State& state, const Thread& thread, char variable, char mode, usize number) {
    const std::vector<Write>& writes = state.writes.at(variable);
    if (mode == 'p') {
      return std::ranges::none_of(writes, [&](const Write& other) {
        return other.mode != 'f' && has(other.before, writes[number].action) && has(thread.known, other.action);
      });
    }
    for (usize later = number + 1; later < writes.size(); ++later) {
      bool is_last = mode == 'v' && (writes[later].mode == 'v' || writes[later].mode == 'u');
      if (is_last || has(thread.known, writes[later].action)) return false;
    }
    auto reads = state.reads.find(variable);
    return reads == state.reads.end() || std::ranges::none_of(reads->second, [&](const CoherentRead& read) {
             return has(thread.known, read.action) && read.write > number;
           });
  }

  void read(State state, usize number, char variable, char mode) {
    const std::vector<Write> writes = state.writes[variable];
    for (u32 i = 0; i < writes.size(); ++i) {
      State next = state;
      Thread& thread = next.threads[number];
      if (mode == 'v') acquire(next, thread, variable);
      if (!is_visible(next, thread, variable, mode, i)) continue;
      u32 action = act(next, thread);
      if (mode != 'p') next.reads[variable].push_back({action, i});
      (mode == 'a' || mode == 'v' ? thread.known : thread.seen) |= writes[i].released;
      thread.loaded.push_back(writes[i].value);
      visit(next);
    }
  }

  void fence(State& state, Thread& thread, char kind) {
    if (kind != '>') thread.known |= thread.seen;
    if (kind == '|') {
      acquire(state, thread, '|');
      act(state, thread);
      release(state, thread, '|');
    }
    if (kind != '<') thread.fenced = thread.known;
  }

  void step(State state, usize number) {
    Thread& thread = state.threads[number];
    const std::string& word = programs_[number][thread.at];
    if (word == "(" && state.owner != -1) return;
    ++thread.at;
    char variable = word[0];
    char mode = isupper(variable) != 0 ? 'v' : word.size() > 1 && word[1] != '=' ? word[1] : 'p';
    if (word == "|" || word == "<" || word == ">") {
      fence(state, thread, variable);
    } else if (word == "(") {
      acquire(state, thread, '(');
      act(state, thread);
      state.owner = static_cast<int>(number);
    } else if (word == ")") {
      act(state, thread);
      release(state, thread, '(');
      state.owner = -1;
    } else if (mode == '+') {
      Write last = state.writes[variable].back();
      acquire(state, thread, variable);
      thread.known |= last.released;
      thread.loaded.push_back(last.value);
      write(state, thread, variable, 'u', last.value + 1);
    } else if (word.size() >= 3) {
      write(state, thread, variable, mode, word.back() - '0');
    } else {
      return read(state, number, variable, mode);
    }
    visit(state);
  }

  void visit(const State& state) {
    bool is_end = true;
    for (usize i = 0; i < programs_.size(); ++i) {
      if (state.threads[i].at == programs_[i].size()) continue;
      is_end = false;
      step(state, i);
    }
    if (!is_end) return;
    std::string outcome;
    for (const Thread& thread : state.threads)
      for (int value : thread.loaded) outcome += (outcome.empty() ? "" : " ") + std::to_string(value);
    outcomes.insert(outcome);
  }

  std::vector<std::vector<std::string>> programs_;
};

}  // namespace

std::set<std::string> outcomes_of_java(const Threads& threads) { return JavaModel(threads).outcomes; }

}  // namespace keyhole::litmus
