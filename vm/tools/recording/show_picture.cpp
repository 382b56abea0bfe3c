// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows a lock's pictures on the terminal, in 80 columns and without colour, and as JSON lines.
//
//   12.345678 ms  worker 2 joins the queue (R2 of cjm_fifo.h)
//                 at Bank.pay(Bank.java:12) bci 4
//                 [00 engaged, hashed]  held by worker 1
//                   queue   <- worker 2 <- worker 3
//                   waiting    worker 4
#include <fmt/format.h>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/recording/lock_steps.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::Recording;
using sync::picture::Picture;

namespace {

constexpr usize columns = 80, margin = 18;

// Writes a list of threads after a label. Continuation lines are aligned with the first name.
std::string row(const Recording& recording, std::string_view title, std::string_view arrow,
                const std::vector<u32>& threads) {
  if (threads.empty()) return {};
  std::string text, line = fmt::format("{:{}}{:<8}", "", margin, title);
  const usize indent = line.size();
  for (u32 thread : threads) {
    std::string name = fmt::format("{}{}", arrow, for_terminal(recording.thread_name(thread)));
    if (line.size() > indent && line.size() + name.size() > columns) {
      text += line + "\n";
      line = std::string(indent, ' ');
    }
    line += name;
  }
  return text + line + "\n";
}

std::string drawing(const Recording& recording, const LockSteps& steps, const Picture& picture) {
  std::string header = words_of(steps.family, picture.header);
  if (picture.is_hashed) header += ", hashed";
  if (picture.is_tabled) header += ", in the table";
  std::string text = fmt::format("{:{}}[{}]  ", "", margin - 2, header);
  if (picture.owner == 0) text += "nobody holds it";
  else text += fmt::format("held by {}", for_terminal(recording.thread_name(picture.owner)));
  if (picture.levels > 1) text += fmt::format(", {} levels", picture.levels);
  text += "\n";
  text += row(recording, "queue", " <- ", picture.queue);
  text += row(recording, "waiting", "    ", picture.waiters);
  if (picture.successor != 0) text += row(recording, "next", "    ", {picture.successor});
  return text;
}

std::string names(const Recording& recording, const std::vector<u32>& threads) {
  std::string text;
  for (u32 thread : threads) text += (text.empty() ? "" : ",") + json_text(recording.thread_name(thread));
  return "[" + text + "]";
}
std::string name(const Recording& recording, u32 thread) {
  return thread == 0 ? "null" : json_text(recording.thread_name(thread));
}

}  // namespace

void show_pictures_as_text(const Recording& recording, const LockSteps& steps, u32 object, FILE* out) {
  auto class_name = recording.class_of.find(object);
  print_text(out, "object {}{}, LockingMode={}, {} steps\n", object,
             class_name == recording.class_of.end()
                 ? ""
                 : fmt::format(" ({})", for_terminal(recording.text(class_name->second))),
             steps.mode, steps.steps.size());
  for (const LockStep& step : steps.steps) {
    const Entry& entry = recording.entries[step.entry];
    print_text(out, "{:>13.6f}   {}{}\n", static_cast<f64>(entry.nanoseconds) / 1e6, for_terminal(step.sentence),
               step.rule.empty() ? "" : fmt::format(" ({})", step.rule));
    if (step.site != 0) print_text(out, "{:{}}at {}\n", "", margin - 2, for_terminal(recording.text(step.site)));
    print_text(out, "{}", drawing(recording, steps, step.picture));
  }
}

// {"ns":12345678,"thread":"worker 2","event":"lock_change","step":"worker 2 joins the queue","rule":"R2 of cjm_fifo.h",
//  "at":"...","header":"00 engaged","owner":"worker 1","levels":1,"queue":["worker 2"],"waiting":[],"next":null,
//  "hashed":true,"in_table":false}
void show_pictures_as_json(const Recording& recording, const LockSteps& steps, FILE* out) {
  for (const LockStep& step : steps.steps) {
    const Entry& entry = recording.entries[step.entry];
    const Picture& picture = step.picture;
    print_text(
        out,
        "{{\"ns\":{},\"thread\":{},\"event\":\"{}\",\"step\":{},\"rule\":{},\"at\":{},\"header\":{},\"owner\":{},"
        "\"levels\":{},\"queue\":{},\"waiting\":{},\"next\":{},\"hashed\":{},\"in_table\":{}}}\n",
        entry.nanoseconds, json_text(recording.thread_name(entry.thread)), row_of(entry.kind).name,
        json_text(step.sentence), json_text(step.rule), step.site == 0 ? "null" : json_text(recording.text(step.site)),
        json_text(words_of(steps.family, picture.header)), name(recording, picture.owner), picture.levels,
        names(recording, picture.queue), names(recording, picture.waiters), name(recording, picture.successor),
        picture.is_hashed, picture.is_tabled);
  }
}

}  // namespace keyhole::recording
