// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and executes commands.
#include "vm/tools/step/commands.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "runtime/base/print.h"
#include "vm/tools/step/view.h"

namespace keyhole::step {

namespace {

constexpr int usage_error = 3;
constexpr u32 most_repetitions = 10'000;

constexpr std::string_view help_text =
    "s [N]            to the next line of any thread, or where another thread goes on; N times\n"
    "t                to the next line of this thread\n"
    "n                the same, over the methods that it calls\n"
    "o                out of this method\n"
    "a                to the next operation that other threads can see\n"
    "y                to the next synchronisation\n"
    "w NAME           to where the variable is about to change: balance, Account.balance, [3]\n"
    "u FILE:LINE      to where a thread comes to the line\n"
    "i                to the next bytecode instruction of the program\n"
    "c                to the end\n"
    "b MOVE           any of these moves backwards: b, b y, b w balance; b c goes to the beginning\n"
    "pick NAME        this thread goes on\n"
    "show, where      where all threads are; with their frames and variables\n"
    "vars, locks      fields and elements that the program has accessed; monitors\n"
    "forget           drops the choices from here on\n"
    "schedule         the choices that make this schedule\n"
    "save FILE        writes it as a file for --schedule\n"
    "q                ends\n";

bool split_place(const std::string& text, std::string& file, u32& line) {
  usize colon = text.rfind(':');
  if (colon == std::string::npos) return false;
  file = text.substr(0, colon);
  auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() && !file.empty();
}

}  // namespace

std::string Commands::show() const {
  const State& state = stepper_.state();
  std::string text = state_text(state, stepper_.before(), stepper_.machine().output(), sources_);
  if (state.has_ended) text += stepper_.end_text() + "\n";
  return text;
}

std::string Commands::moved(const std::string& problem) const { return problem.empty() ? show() : problem + "\n"; }

std::string Commands::move(const std::string& verb, const std::string& operand, bool is_backward, bool& is_error) {
  u32 repetitions = 1;
  constexpr std::pair<std::string_view, Goal> goals[] = {
      {"s", Goal::line},      {"t", Goal::line_of},         {"n", Goal::over},        {"o", Goal::out},
      {"a", Goal::operation}, {"y", Goal::synchronization}, {"i", Goal::instruction}, {"c", Goal::end}};
  for (auto [name, goal] : goals) {
    if (verb != name) continue;
    if (!operand.empty()) {
      auto [end, error] = std::from_chars(operand.data(), operand.data() + operand.size(), repetitions);
      is_error = error != std::errc() || *end != '\0' || repetitions == 0 || repetitions > most_repetitions;
      if (is_error) return fmt::format("{} takes a number up to {}.\n", verb, most_repetitions);
    }
    if (goal == Goal::end && is_backward) {
      stepper_.restart();
      return show();
    }
    std::string text;
    for (u32 i = 0; i < repetitions; ++i) {
      std::string problem = stepper_.move(goal, is_backward);
      text += moved(problem);
      if (!problem.empty() || stepper_.state().has_ended) break;
      if (i + 1 < repetitions) text += "\n";
    }
    return text;
  }
  if (!fits_stop(operand)) return "The name is too long.\n";
  if (verb == "w") {
    is_error = operand.empty();
    return is_error ? "w needs the name of a variable.\n" : moved(stepper_.move_to({stop_at(operand)}, is_backward));
  }
  std::string file;
  u32 line = 0;
  is_error = verb != "u" || !split_place(operand, file, line);
  if (is_error && verb == "u") return "u needs a line, as in u Overdraw.java:9.\n";
  if (is_error) return fmt::format("There is no command {}: help lists them.\n", verb);
  return moved(stepper_.move_to({stop_at(file, line)}, is_backward));
}

std::string Commands::schedule_text() const {
  const controlled::Execution& execution = stepper_.machine().execution();
  std::string text;
  for (u32 i = 0; i < execution.step_count; ++i)
    text +=
        fmt::format("at event {} {} goes on\n", execution.steps[i].event, execution.names[execution.steps[i].strand]);
  return text.empty() ? "Each thread goes on as long as it can; then the next one does.\n" : text;
}

std::string Commands::save(const std::string& file) {
  const controlled::Execution& execution = stepper_.machine().execution();
  std::ofstream token(file);
  token << token_({execution.steps, execution.steps + execution.step_count});
  token.close();
  return token ? fmt::format("Written: {}\n", file) : fmt::format("Cannot write {}.\n", file);
}

std::string Commands::execute(const std::string& line, bool& is_error) {
  is_error = false;
  std::istringstream words(line);
  std::string verb, operand, rest;
  words >> verb >> std::ws;
  std::getline(words, operand);
  operand.erase(operand.find_last_not_of(" \t\r") + 1);
  if (verb.empty() || verb[0] == '#') return {};
  if (verb == "q" || verb == "quit") {
    has_quit_ = true;
    return {};
  }
  if (verb == "help") return std::string(help_text);
  if (verb == "show") return show();
  if (verb == "where") return frames_text(stepper_.state(), sources_);
  if (verb == "vars") return variables_text(stepper_.state());
  if (verb == "locks") {
    std::string text = locks_text(stepper_.state());
    return text.empty() ? "No monitor is held or wanted.\n" : text;
  }
  if (verb == "forget") {
    std::string problem = stepper_.forget();
    return problem.empty() ? schedule_text() : problem + "\n";
  }
  if (verb == "schedule") return schedule_text();
  if (verb == "save") {
    is_error = operand.empty();
    return is_error ? "save needs a file.\n" : save(operand);
  }
  if (verb == "pick") {
    const ThreadState* thread = stepper_.state().thread(std::string_view(operand));
    if (thread == nullptr) return fmt::format("There is no thread {}.\n", operand);
    return moved(stepper_.choose(*thread));
  }
  if (verb != "b") return move(verb, operand, false, is_error);
  std::istringstream inner(operand);
  verb.clear();
  inner >> verb >> std::ws;
  std::getline(inner, rest);
  return move(verb.empty() ? "s" : verb, rest, true, is_error);
}

int Commands::run(std::istream& input, bool is_interactive, bool echoes) {
  print_text("{}", show());
  std::string line, last = "s";
  for (u32 number = 1; !has_quit_; ++number) {
    if (is_interactive) print_text("(step) ");
    fflush(stdout);
    if (!std::getline(input, line)) break;
    if (is_interactive && line.empty()) line = last;  // Enter repeats
    last = line;
    if (echoes && !line.empty()) print_text("\n> {}\n", line);
    bool is_error = false;
    std::string text = execute(line, is_error);
    print_text("{}", text);
    if (is_error && !is_interactive) {
      fflush(stdout);
      print_text(stderr, "keyhole: line {} of the script is wrong: {}\n", number, line);
      return usage_error;
    }
  }
  if (is_interactive && !has_quit_) print_text("\n");
  return 0;
}

}  // namespace keyhole::step
