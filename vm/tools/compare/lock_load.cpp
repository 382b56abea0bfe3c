// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and parses a load as text.
#include "vm/tools/compare/lock_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace keyhole::compare {

namespace {

constexpr i64 most_waits = 100'000'000;
constexpr std::string_view letters = "wsluan";

bool has_object(LoadStep::Kind kind) { return kind != LoadStep::work && kind != LoadStep::sleep; }
bool has_amount(LoadStep::Kind kind) { return kind != LoadStep::lock && kind != LoadStep::unlock; }

// Parses the number after a space at the beginning of `text`. Returns false if there is no number.
template <typename Number> bool take_number(std::string_view& text, Number& number) {
  if (!text.starts_with(' ')) return false;
  text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<usize>(end - text.data()));
  return error == std::errc() && number >= 0;
}

class Parser {
 public:
  // `most_objects` protects against damaged files: each object needs at least one line of the text, so there cannot be
  // more objects than lines.
  Parser(LockLoad& load, usize most_objects) : load_(load), most_objects_(most_objects) {}

  bool take(std::string_view line) {
    constexpr std::string_view objects = "objects", thread = "thread";
    if (line.starts_with(objects)) {
      line.remove_prefix(objects.size());
      return load_.threads.empty() && take_number(line, load_.objects) && line.empty() &&
             load_.objects <= most_objects_;
    }
    if (line.starts_with(thread)) {
      line.remove_prefix(thread.size());
      return begin_thread(line);
    }
    return !load_.threads.empty() && !line.empty() && letters.find(line[0]) != letters.npos && take_step(line);
  }
  bool end() const { return held_.empty(); }

 private:
  bool begin_thread(std::string_view rest) {
    LockLoad::Thread thread;
    if (rest != " -" && !(take_number(rest, thread.after) && rest.empty() && thread.after < load_.threads.size()))
      return false;
    load_.threads.push_back(std::move(thread));
    return held_.empty();
  }
  bool take_step(std::string_view line) {
    LoadStep step{static_cast<LoadStep::Kind>(line[0])};
    line.remove_prefix(1);
    if (has_object(step.kind) && !(take_number(line, step.object) && step.object < load_.objects)) return false;
    if (has_amount(step.kind) && !take_number(line, step.amount)) return false;
    if (step.kind == LoadStep::lock) held_.push_back(step.object);
    if (step.kind == LoadStep::unlock) {
      if (held_.empty() || held_.back() != step.object) return false;
      held_.pop_back();
    }
    if (step.kind == LoadStep::wait || step.kind == LoadStep::notify) {
      if (std::ranges::find(held_, step.object) == held_.end() || step.amount >= most_waits) return false;
      load_.waits = std::max(load_.waits, step.amount + 1);
    }
    load_.threads.back().steps.push_back(step);
    return line.empty();
  }

  LockLoad& load_;
  const usize most_objects_;
  std::vector<u32> held_;  // locks that the current thread holds at this step
};

}  // namespace

LockLoad::Sums LockLoad::sums() const {
  Sums sums;
  for (const Thread& thread : threads) {
    u64 levels = 0;
    for (const LoadStep& step : thread.steps) {
      if (step.kind == LoadStep::lock) ++levels, ++sums.locks;
      else if (step.kind == LoadStep::unlock) --levels;
      else if (step.kind == LoadStep::work) (levels != 0 ? sums.inside : sums.outside) += step.amount;
    }
  }
  return sums;
}

std::string text_of(const LockLoad& load) {
  std::string text = fmt::format("objects {}\n", load.objects);
  auto out = std::back_inserter(text);
  for (const LockLoad::Thread& thread : load.threads) {
    if (thread.after == LockLoad::nobody) text += "thread -\n";
    else fmt::format_to(out, "thread {}\n", thread.after);
    for (const LoadStep& step : thread.steps) {
      text += static_cast<char>(step.kind);
      if (has_object(step.kind)) fmt::format_to(out, " {}", step.object);
      if (has_amount(step.kind)) fmt::format_to(out, " {}", step.amount);
      text += '\n';
    }
  }
  return text;
}

std::string parse_load(std::string_view text, LockLoad& load) {
  load = {};
  Parser parser(load, text.size());
  for (u32 number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!parser.take(line)) return fmt::format("line {}: '{}' is no step that can come here", number, line);
  }
  if (!parser.end()) return "the last thread does not release what it has locked";
  return {};
}

}  // namespace keyhole::compare
