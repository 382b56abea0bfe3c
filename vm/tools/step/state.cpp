// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and compares states.
#include "vm/tools/step/state.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

namespace keyhole::step {

namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    usize tab = line.find('\t');
    fields.emplace_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

u64 number(const std::string& text) {
  u64 value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Pairs of a variable's name, which is unique in the state, and its value.
using Values = std::vector<std::pair<std::string, std::string>>;

Values values_of(const State& state) {
  Values values;
  for (const Variable& field : state.fields) values.emplace_back(field.name, field.value);
  for (const ThreadState& thread : state.threads) {
    for (usize i = 0; i < thread.frames.size(); ++i) {
      const FrameState& frame = thread.frames[i];
      // Numbers frames from the outermost one, so that a frame keeps its number when it calls another method.
      for (const Variable& local : frame.locals)
        if (local.name != "this")
          values.emplace_back(
              fmt::format("{}\t{}\t{}\t{}", thread.name, thread.frames.size() - i, frame.method, local.name),
              local.value);
    }
  }
  return values;
}

// Shortens a local's unique name (tab-separated, see values_of) to "Thread-0: amount".
std::string shown(const std::string& name) {
  usize first = name.find('\t');
  return first == std::string::npos ? name : name.substr(0, first) + ": " + name.substr(name.rfind('\t') + 1);
}

}  // namespace

const ThreadState* State::thread(u32 wanted) const {
  for (const ThreadState& each : threads)
    if (each.strand == wanted) return &each;
  return nullptr;
}
const ThreadState* State::thread(std::string_view name) const {
  for (const ThreadState& each : threads)
    if (each.name == name) return &each;
  return nullptr;
}

State read_state(std::string_view text) {
  State state;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::vector<std::string> words = fields_of(line);
    const std::string kind = words[0];
    words.resize(10);
    if (kind == "at") {
      state.tick = number(words[1]);
      state.event = static_cast<u32>(number(words[2]));
      state.strand = static_cast<u32>(number(words[3]));
      for (char digit : words[4]) state.enabled = 10 * state.enabled + static_cast<u32>(digit - '0');
      state.depth = static_cast<u32>(number(words[5]));
      state.is_first = words[6] == "1";
      state.is_choice = words[7] == "1";
      state.switch_tick = number(words[8]);
      state.switch_event = static_cast<u32>(number(words[9]));
    } else if (kind == "last") {
      state.has_ended = true;
    } else if (kind == "instruction") {
      state.instruction = words[1];
    } else if (kind == "thread") {
      state.threads.push_back({static_cast<u32>(number(words[1])), words[2], words[3], words[4], words[5], {}});
    } else if (kind == "frame" && !state.threads.empty()) {
      state.threads.back().frames.push_back({words[3], words[4], {}});
    } else if (kind == "local" && !state.threads.empty() && !state.threads.back().frames.empty()) {
      state.threads.back().frames.back().locals.push_back({words[3], words[4]});
    } else if (kind == "field") {
      state.fields.push_back({words[1], words[2]});
    } else if (kind == "lock") {
      state.locks.push_back({words[1], words[2], words[3], words[4]});
    }
  }
  return state;
}

std::vector<std::string> changes(const State& before, const State& after) {
  std::unordered_map<std::string, std::string> old;
  for (auto& [name, value] : values_of(before)) old.emplace(name, value);
  std::vector<std::string> texts;
  for (const auto& [name, value] : values_of(after)) {
    // If `before` is a state after the end of the program, it has no locals, so the locals of `after` count as
    // unchanged.
    if (before.has_ended && name.find('\t') != std::string::npos) continue;
    auto found = old.find(name);
    if (found == old.end()) texts.push_back(fmt::format("{} = {}", shown(name), value));
    else if (found->second != value) texts.push_back(fmt::format("{} {} -> {}", shown(name), found->second, value));
  }
  return texts;
}

}  // namespace keyhole::step
