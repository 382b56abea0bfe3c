// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps through the execution, and writes the differences between consecutive states.
#include "vm/tools/step/page.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "vm/tools/step/json.h"

namespace keyhole::step {

namespace {

constexpr u32 most_steps = 20'000;

class Writer {
 public:
  std::string step_text(const State& state, std::string_view output);
  std::string texts() const { return "[" + texts_ + "]"; }
  const std::set<std::string>& files() const { return files_; }

 private:
  u32 number(const std::string& text) {
    auto [entry, is_new] = numbers_.try_emplace(text, static_cast<u32>(numbers_.size()));
    if (is_new) texts_ += (texts_.empty() ? "" : ",") + json_text(text);
    return entry->second;
  }
  std::string changed_threads(const State& state);
  std::string changed_variables(const State& state);

  std::string texts_;
  std::map<std::string, u32> numbers_;
  std::map<u32, std::string> threads_;
  std::map<std::string, std::string> variables_;
  std::string locks_ = "[]";
  std::set<std::string> files_;
};

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

std::string Writer::changed_threads(const State& state) {
  std::string list;
  for (const ThreadState& thread : state.threads) {
    std::string method = thread.frames.empty() ? "" : thread.frames[0].method;
    std::string now = fmt::format("[{},{},{},{},{},{}]", thread.strand, number(thread.name), number(thread.status),
                                  number(thread.place), number(thread.doing), number(method));
    if (usize colon = thread.place.find(':'); colon != std::string::npos) files_.insert(thread.place.substr(0, colon));
    std::string& before = threads_[thread.strand];
    if (before != now) append(list, now);
    before = now;
  }
  return list;
}

// Collects the variables whose values changed since the previous state. A variable that went out of scope is written
// with the value null.
std::string Writer::changed_variables(const State& state) {
  std::map<std::string, std::string> now;
  for (const Variable& field : state.fields) now[field.name] = field.value;
  for (const ThreadState& thread : state.threads)
    if (!thread.frames.empty())
      for (const Variable& local : thread.frames[0].locals) now[thread.name + ": " + local.name] = local.value;
  std::string list;
  for (const auto& [name, value] : now) {
    auto before = variables_.find(name);
    if (before == variables_.end() || before->second != value)
      append(list, fmt::format("[{},{}]", number(name), number(value)));
  }
  for (const auto& [name, value] : variables_)
    if (!now.contains(name)) append(list, fmt::format("[{}]", number(name)));
  variables_ = std::move(now);
  return list;
}

std::string Writer::step_text(const State& state, std::string_view output) {
  std::string locks;
  for (const LockState& lock : state.locks)
    append(locks, fmt::format("[{},{},{},{}]", number(lock.name), number(lock.owner), number(lock.entering),
                              number(lock.waiting)));
  locks = "[" + locks + "]";
  std::string text = fmt::format("[{},[{}],[{}]", state.has_ended ? -1 : static_cast<i32>(state.strand),
                                 changed_threads(state), changed_variables(state));
  bool has_new_locks = locks != locks_;
  if (has_new_locks || !output.empty()) text += "," + (has_new_locks ? locks : std::string("0"));
  if (!output.empty()) text += "," + json_text(output);
  locks_ = locks;
  return text + "]";
}

}  // namespace

std::string page_text(Stepper& stepper, Sources& sources, const std::string& program, u32& step_count) {
  Writer writer;
  std::string steps;
  usize seen = 0;
  for (step_count = 0; step_count < most_steps;) {
    std::string output = stepper.machine().output();
    append(steps, writer.step_text(stepper.state(), std::string_view(output).substr(seen)) + "\n");
    seen = output.size();
    ++step_count;
    if (stepper.state().has_ended) break;
    stepper.move(Goal::line, false);
  }
  std::string end =
      stepper.state().has_ended ? stepper.end_text() : fmt::format("The page ends here, after {} steps.", most_steps);
  std::string files;
  for (const std::string& file : writer.files())
    append(files, fmt::format("{}:{}", json_text(file), json_text(sources.text_of(file))));
  std::string data = fmt::format("{{\"program\":{},\"end\":{},\"files\":{{{}}},\n\"texts\":{},\n\"steps\":[{}]}}",
                                 json_text(program), json_text(end), files, writer.texts(), steps);
  for (usize at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) data.replace(at, 2, "<\\/");
  return page_head + data + page_tail;
}

}  // namespace keyhole::step
