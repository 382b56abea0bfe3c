// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of the report.
#include "vm/tools/explore/report.h"

#include <fmt/format.h>

#include "vm/tools/terminal.h"

namespace keyhole::explore {

namespace {

std::string grouped(u64 number) {  // 1,904,331
  std::string digits = fmt::format("{}", number), text;
  for (usize i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string plural(u64 number, std::string_view noun, std::string_view many = "") {
  if (number != 1 && !many.empty()) return fmt::format("{} {}", grouped(number), many);
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else if (static_cast<u8>(c) < ' ') out += fmt::format("\\u{:04x}", static_cast<u32>(c));
    else out += c;
  }
  return out + '"';
}

// Lists the assumptions on which the report's statement rests.
std::string assumptions(const Report& report) {
  std::string text = "Assumed: accesses in the order of the program (--memory=sc), 2 processors";
  if (report.memory == controlled::Memory::tso)
    text =
        "Assumed: accesses in the order of the program, but for plain stores that wait in a buffer for each thread "
        "(--memory=tso), 2 processors";
  if (report.memory == controlled::Memory::jmm)
    text =
        "Assumed: a read sees any write that has taken place and that the Java memory model permits (--memory=jmm), "
        "2 processors";
  if (report.quiet_choices != 0)
    text += fmt::format(", quiet library methods ({} in a schedule; --strict: none)",
                        plural(report.quiet_choices, "choice"));
  if (report.timed_out) text += ", time passes when no thread can go on";
  if (report.notified_many) text += ", notify wakes who has waited longest";
  return text + ".";
}

std::string failure_text(const Report& report, const Failure& failure) {
  std::string text =
      fmt::format("1 of {} fails ({:.2f} s). It has {}, {}, {}.\n", plural(report.executed, "schedule"), report.seconds,
                  plural(failure.counts.preemptions, "preemption"),
                  fmt::format("{} switch{}", failure.counts.switches, failure.counts.switches == 1 ? "" : "es"),
                  plural(failure.events, "event"));
  text += failure.script;
  text += fmt::format("=> {}{}\n", failure.text, failure.where.empty() ? "" : fmt::format(" ({})", failure.where));
  if (!failure.not_replayed.empty()) text += fmt::format("This schedule was not replayed: {}.\n", failure.not_replayed);
  else if (!failure.is_replayed)
    text += "The replay of this schedule had other events: something in it is not controlled.\n";
  if (!failure.token_file.empty())
    text += fmt::format("again: keyhole --explore --schedule={} ...\n", failure.token_file);
  return text;
}

}  // namespace

Verdict Report::verdict() const {
  if (failure) return failure->is_replayed ? Verdict::failure : Verdict::uncontrolled;
  return uncontrolled.empty() ? Verdict::none : Verdict::uncontrolled;
}

std::string Report::text() const {
  std::string text;
  if (failure) {
    text = failure_text(*this, *failure);
  } else if (!uncontrolled.empty()) {
    text =
        fmt::format("{}: the program {}{}.\nUntil then {} without a failure.\n", is_limit ? "Limit" : "Not controlled",
                    uncontrolled, uncontrolled_where.empty() ? "" : fmt::format(" at {}", uncontrolled_where),
                    plural(executed == 0 ? 0 : executed - 1, "schedule"));
    if (is_limit)
      text = fmt::format("Stopped at a limit: {}.\nUntil then {} without a failure.\n", uncontrolled,
                         plural(executed == 0 ? 0 : executed - 1, "schedule"));
  } else if (is_sequential) {
    text = "Complete: the program never has two threads that could go on. Its one schedule does not fail.\n";
  } else if (is_complete) {
    text = fmt::format(
        "Complete: all {} that differ in an order of synchronisation or of racing accesses ({}). None "
        "fails ({:.2f} s).\n",
        plural(counted, "schedule"), strategy, seconds);
  } else if (stopped_by.empty() && finished_bound) {
    text = fmt::format("No schedule with at most {} fails ({}, {:.2f} s). With more: not decided.\n",
                       plural(*finished_bound, "preemption"), plural(counted, "schedule"), seconds);
  } else {
    text = fmt::format("Stopped {} and {} of {}. None fails.", stopped_by, plural(executed, "schedule"),
                       plural(kinds, "kind"));
    if (draws != 0)
      text += fmt::format(" The next one at random is new with about {:.0f} % (Good-Turing).",
                          100.0 * static_cast<f64>(kinds_drawn_once) / static_cast<f64>(draws));
    text += "\n";
    if (unfinished != 0)
      text += fmt::format("{}: {} ended, and {} not count.\n",
                          plural(unfinished, "schedule was still running", "schedules were still running"),
                          unfinished == 1 ? "it was" : "they were", unfinished == 1 ? "does" : "do");
    if (finished_bound)
      text += fmt::format("All schedules with at most {} were among them.\n", plural(*finished_bound, "preemption"));
  }
  if (!outcomes.empty()) {
    text += fmt::format("{}:\n", plural(outcomes.size(), "outcome"));
    for (const auto& [outcome, count] : outcomes)
      text += fmt::format("  {:>10}  {}\n", grouped(count), json_text(outcome));
  }
  if (late_places != 0)
    text += fmt::format("{} after the parts were settled: there no schedule changes.\n",
                        plural(late_places, "place was found to race", "places were found to race"));
  if (are_places_full) text += "Too many places race: at some of them no schedule changes.\n";
  if (verdict() != Verdict::uncontrolled) text += wrapped(assumptions(*this), "  ");
  return text;
}

std::string Report::json() const {
  constexpr std::string_view verdicts[] = {"none", "failure", "uncontrolled"};
  std::string text = "{\n";
  auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {}: {},\n", json_text(name), value);
  };
  auto number = [](u64 value) { return fmt::format("{}", value); };
  auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  add("program", json_text(program));
  add("strategy", json_text(strategy));
  if (memory != controlled::Memory::sc) add("memory", json_text(name_of(memory)));
  add("rollback", json_text(rollback));
  add("refused_call", fmt::format("{}", refused_call));
  add("schedules", number(executed));
  add("executions", number(runs));
  add("history", json_text(fmt::format("{:016x}", history)));
  add("counted", number(counted));
  add("seconds", fmt::format("{:.3f}", seconds));
  add("complete", truth(is_complete || is_sequential));
  add("finished_bound", finished_bound ? number(*finished_bound) : "null");
  add("kinds", number(kinds));
  add("draws", number(draws));
  add("kinds_drawn_once", number(kinds_drawn_once));
  add("racing_places", number(places));
  add("stopped", json_text(stopped_by));
  add("unfinished", number(unfinished));
  add("uncontrolled", json_text(uncontrolled));
  if (failure) {
    add("failure", json_text(failure->text));
    add("where", json_text(failure->where));
    add("found_after", fmt::format("{:.3f}", failure->found_after));
    add("preemptions", number(failure->counts.preemptions));
    add("switches", number(failure->counts.switches));
    add("events", number(failure->events));
    add("shown", number(failure->shown));
    add("script", json_text(failure->script));
    add("hash", json_text(failure->hash));
    add("replayed", truth(failure->is_replayed));
    add("schedule", json_text(failure->token_file));
  }
  if (is_part) {
    add("shard", number(shard + 1));
    add("shards", number(shards));
    add("late_places", number(late_places));
    std::string kind_list, late_list;
    for (auto [kind, seen] : parts_kinds.all())
      kind_list += fmt::format("{:x}:{}{} ", kind, seen.draws, seen.is_searched ? "s" : "");
    for (u64 place : late) late_list += fmt::format("{:x} ", place);
    add("all_kinds", json_text(kind_list));
    add("late", json_text(late_list));
    add("sequential", truth(is_sequential));
    add("limit", truth(is_limit));
    add("uncontrolled_where", json_text(uncontrolled_where));
    add("notified_many", truth(notified_many));
    add("timed_out", truth(timed_out));
    add("strict", truth(is_strict));
    add("places_full", truth(are_places_full));
    add("quiet_choices", number(quiet_choices));
    if (failure) {
      add("token", json_text(failure->token));
      add("not_replayed", json_text(failure->not_replayed));
    }
  }
  std::string list;
  for (const auto& [outcome, count] : outcomes)
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", json_text(outcome), count);
  add("outcomes", "{" + list + "}");
  text += fmt::format("  \"verdict\": {}\n}}\n", json_text(verdicts[static_cast<usize>(verdict())]));
  return text;
}

}  // namespace keyhole::explore
