// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses options, filters events, and turns fields into words.
#include "vm/tools/recording/show.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "gc/heap/region.h"
#include "jit/graph/ir/graph.h"
#include "runtime/base/print.h"
#include "runtime/recorder/placeholders.h"
#include "runtime/sync/picture/step.h"
#include "runtime/sync/status.h"
#include "runtime/threads/java_thread.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/tools/recording/findings.h"
#include "vm/tools/recording/known_events.h"
#include "vm/tools/recording/lock_steps.h"
#include "vm/tools/recording/wait_facts.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::FieldType;
using recorder::Recording;

namespace {

constexpr std::string_view usage =
    "Usage: keyhole --show FILE [options]\n"
    "  --to=text         one line per event (the default)\n"
    "  --to=json         one JSON object per line\n"
    "  --to=perfetto     a trace for https://ui.perfetto.dev; needs --output\n"
    "  --output=FILE     instead of the terminal\n"
    "  --thread=NAME     only events of this thread: its name or its id\n"
    "  --object=N        only events about this object\n"
    "  --class=NAME      only events about objects of this class\n"
    "  --event=A,B       only these kinds of events, or families of them\n"
    "  --from=MS --until=MS\n"
    "                    only events of this time, in milliseconds since the start\n"
    "  --waits           who kept whom waiting for a lock, and for how long in all\n"
    "                    (text or json)\n"
    "  --stacks          what ran: the stacks of the execution samples, each with the\n"
    "                    number of its samples (collapsed, for flame graphs; or json)\n"
    "  --findings        what stands out: deadlocks, hot locks, starvation, pauses\n"
    "                    (text or json)\n"
    "  --picture=N       the lock of object N, drawn at each step of its algorithm\n"
    "                    (text or json)\n"
    "  --summary         how many events of each kind there are\n";

struct Options {
  std::string file, to = "text", output, thread, class_name, events;
  std::optional<u32> object, picture;
  std::optional<f64> from, until;
  bool summary = false, waits = false, stacks = false, findings = false, help = false;
};

template <typename Number> bool parse(std::string_view text, std::optional<Number>& number) {
  Number value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  number = value;
  return true;
}

// The parsed command-line options that select events.
std::string filters_in_words(const Options& options) {
  std::string words;
  auto add = [&](std::string_view name, std::string_view value) {
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value);
  };
  if (!options.thread.empty()) add("--thread", options.thread);
  if (options.object) add("--object", std::to_string(*options.object));
  if (!options.class_name.empty()) add("--class", options.class_name);
  if (!options.events.empty()) add("--event", options.events);
  if (options.from) add("--from", fmt::format("{}", *options.from));
  if (options.until) add("--until", fmt::format("{}", *options.until));
  return words;
}

// Parses the options. Returns an empty string, or the error.
std::string parse_options(std::span<char*> words, Options& options) {
  for (std::string_view word : words) {
    std::string_view value = word.substr(std::min(word.size(), word.find('=') + 1));
    auto is = [&](std::string_view name) {
      return word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=';
    };
    bool good = true;
    if (!word.starts_with("--")) {
      good = options.file.empty();
      options.file = word;
    } else if (word == "--help") options.help = true;
    else if (word == "--summary") options.summary = true;
    else if (word == "--waits") options.waits = true;
    else if (word == "--stacks") options.stacks = true;
    else if (word == "--findings") options.findings = true;
    else if (is("--to")) {
      options.to = value;
      good = value == "text" || value == "json" || value == "perfetto";
    } else if (is("--output")) options.output = value;
    else if (is("--thread")) options.thread = value;
    else if (is("--class")) options.class_name = value;
    else if (is("--event")) options.events = value;
    else if (is("--object")) good = parse(value, options.object);
    else if (is("--picture")) good = parse(value, options.picture);
    else if (is("--from")) good = parse(value, options.from);
    else if (is("--until")) good = parse(value, options.until);
    else good = false;
    if (!good) return fmt::format("--show does not understand {}", word);
  }
  if (options.help) return {};
  if (options.file.empty()) return "--show needs the file of a recording";
  if (options.picture && (options.to == "perfetto" || options.summary || options.waits || !options.thread.empty() ||
                          !options.class_name.empty() || !options.events.empty() || options.object))
    return "--picture goes with --to=text, --to=json, --from and --until alone";
  if (options.findings && (options.to == "perfetto" || options.summary || options.waits || options.picture ||
                           !filters_in_words(options).empty()))
    return "--findings goes with --to=text, --to=json and --output alone";
  if (options.stacks && (options.to == "perfetto" || options.summary || options.waits || options.findings ||
                         options.picture || options.object || !options.class_name.empty() || !options.events.empty()))
    return "--stacks goes with --to=text, --to=json, --output, --thread, --from and --until alone";
  if (options.waits && (options.to == "perfetto" || options.summary || !options.events.empty()))
    return "--waits does not go with --to=perfetto, --summary or --event";
  if (options.to == "perfetto" && options.output.empty() && isatty(STDOUT_FILENO) == 1)
    return "--to=perfetto is not for the terminal: say --output=FILE";
  return {};
}

// Parses a list of kinds and families of events into a set of kinds. On an error, returns the empty set and sets
// `problem`.
std::vector<bool> parse_events(std::string_view text, std::string& problem) {
  std::vector<bool> kinds(recorder::kind_count, text.empty());
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    bool found = false;
    for (u32 i = 0; i < recorder::kind_count; ++i) {
      const recorder::Row& row = recorder::rows[i];
      if (row.name != name && recorder::family_rows[static_cast<u32>(row.family)].name != name) continue;
      kinds[i] = found = true;
    }
    if (!found) problem = fmt::format("'{}' is neither a kind nor a family of events", name);
  }
  return kinds;
}

bool are_of(const Recording& recording, u32 thread, u32 object, const Options& options) {
  if (!options.thread.empty() && recording.thread_name(thread) != options.thread &&
      std::to_string(thread) != options.thread)
    return false;
  if (options.object && object != *options.object) return false;
  if (options.class_name.empty()) return true;
  auto class_name = recording.class_of.find(object);
  if (object == 0 || class_name == recording.class_of.end()) return false;
  std::string_view name = recording.text(class_name->second);
  if (name.ends_with(recorder::one_shot_suffix)) name.remove_suffix(recorder::one_shot_suffix.size());
  return name == options.class_name;
}

void filter(Recording& recording, const Options& options, const std::vector<bool>& kinds) {
  std::erase_if(recording.entries, [&](const Entry& entry) {
    if (!kinds[static_cast<u32>(entry.kind)]) return true;
    f64 milliseconds = static_cast<f64>(entry.nanoseconds) / 1e6;
    if (options.from && milliseconds < *options.from) return true;
    if (options.until && milliseconds > *options.until) return true;
    return !are_of(recording, entry.thread, object_of(entry), options);
  });
}

// Returns the waits for locks that match the options for time, thread and object.
std::vector<Wait> waits_in(const Recording& recording, const WaitFacts& facts, const Options& options) {
  std::vector<Wait> waits;
  for (const Wait& wait : facts.waits) {
    if (wait.is_for_lock() && are_of(recording, wait.thread, wait.object, options) &&
        static_cast<f64>(wait.begin) / 1e6 >= options.from.value_or(0))
      waits.push_back(wait);
  }
  return waits;
}

// Prints to stderr why no event is shown. Standard output stays valid JSON.
void report_nothing(usize of, std::string_view what, const Options& options) {
  if (of == 0) print_text(stderr, "keyhole: the recording has no {}s\n", what);
  else
    print_text(stderr, "keyhole: none of the recording's {} {}{} matches {}\n", of, what, of == 1 ? "" : "s",
               filters_in_words(options));
}

// Prints the pictures of a lock. They are computed from all events of the object; the options only select the steps to
// print. Returns an empty string, or the error.
std::string show_pictures(const Recording& recording, const Options& options, FILE* out) {
  std::string problem;
  LockSteps steps = lock_steps_of(recording, *options.picture, problem);
  if (!problem.empty()) return problem;
  usize all = steps.steps.size();
  std::erase_if(steps.steps, [&](const LockStep& step) {
    f64 milliseconds = static_cast<f64>(recording.entries[step.entry].nanoseconds) / 1e6;
    return (options.from && milliseconds < *options.from) || (options.until && milliseconds > *options.until);
  });
  if (steps.steps.empty()) report_nothing(all, "step", options);
  else if (options.to == "json") show_pictures_as_json(recording, steps, out);
  else show_pictures_as_text(recording, steps, *options.picture, out);
  return {};
}

void show_summary(const Recording& recording, FILE* out) {
  std::vector<u64> counts(recorder::kind_count);
  for (const Entry& entry : recording.entries) ++counts[static_cast<u32>(entry.kind)];
  for (u32 i = 0; i < recorder::kind_count; ++i) {
    if (counts[i] != 0)
      print_text(out, "{:>12}  {:<18} {}\n", counts[i], recorder::rows[i].name, recorder::rows[i].sentence);
  }
  usize events = recording.entries.size();
  i64 last = events == 0 ? 0 : recording.entries.back().nanoseconds;
  usize threads = recording.threads.size();
  print_text(out, "{:>12}  event{} of {} thread{} in {:.3f} ms, {:.2f} bytes each\n", events, events == 1 ? "" : "s",
             threads, threads == 1 ? "" : "s", static_cast<f64>(last) / 1e6,
             events == 0 ? 0.0 : static_cast<f64>(recording.event_bytes) / static_cast<f64>(events));
}

constexpr std::string_view words_of_bits[] = {"00", "01", "10", "11"};
// Words for sync::InflationCause and sync::Status, in the order of their constants.
constexpr std::string_view causes[] = {"contention",    "wait",          "lock stack full", "not last locked",
                                       "monitor enter", "identity hash", "recursion"};
constexpr std::string_view statuses[] = {"done", "not the owner", "interrupted", "no memory"};

std::string_view state_name(u32 state) {
  switch (static_cast<JavaThreadStatus>(state)) {
    case JavaThreadStatus::New: return "new";
    case JavaThreadStatus::Runnable: return "runnable";
    case JavaThreadStatus::Sleeping: return "sleeping";
    case JavaThreadStatus::InObjectWait: return "waiting";
    case JavaThreadStatus::InObjectWaitTimed: return "waiting, timed";
    case JavaThreadStatus::Parked: return "parked";
    case JavaThreadStatus::ParkedTimed: return "parked, timed";
    case JavaThreadStatus::BlockedOnMonitorEnter: return "blocked";
    case JavaThreadStatus::Terminated: return "terminated";
  }
  return "?";
}

std::string_view exit_name(u32 value) {
  constexpr u32 reasons = static_cast<u32>(graph::DeoptReason::Monitor) + 1;
  if (value != 0 && value <= reasons) return graph::name(static_cast<graph::DeoptReason>(value - 1));
  return name_of(static_cast<interpreter::DeoptReason>(value));
}

std::string region_change(u32 bits) {
  auto [from, to, generation] = gc::unpack_region_change(bits);
  std::string before = from == to ? "" : fmt::format("{}->", gc::name_of(from));
  return fmt::format("{}{}, {}", before, gc::name_of(to), gc::name_of(generation));
}

template <usize size> std::string word_in(const std::string_view (&words)[size], u32 value) {
  return value < size ? std::string(words[value]) : fmt::format("{}", value);
}

std::string text_of(const Recording& recording, FieldType type, u32 value) {
  switch (type) {
    case FieldType::nothing: return {};
    case FieldType::object: {
      auto class_name = recording.class_of.find(value);
      return class_name == recording.class_of.end() ? fmt::format("{}", value)
                                                    : fmt::format("{} ({})", value, recording.text(class_name->second));
    }
    case FieldType::site:
    case FieldType::text: return recording.text(value);
    case FieldType::thread: return recording.thread_name(value);
    case FieldType::number:
    case FieldType::bytes: return fmt::format("{}", value);
    case FieldType::address: return fmt::format("{:#x}", u64{value} << 3);
    case FieldType::word: return fmt::format("{}->{}", words_of_bits[value >> 2 & 3], words_of_bits[value & 3]);
    case FieldType::cause: return word_in(causes, value);
    case FieldType::status: return word_in(statuses, value);
    case FieldType::state: return std::string(state_name(value));
    case FieldType::step:
      return value < lock_counter_count ? std::string(lock_counter_names[value]) : fmt::format("{}", value);
    case FieldType::yes_no: return value != 0 ? "yes" : "no";
    case FieldType::region: return region_change(value);
    case FieldType::change: {
      u32 step = static_cast<u32>(sync::picture::unpack(value).step);
      if (step >= sync::picture::step_count) return fmt::format("{}", step);
      return std::string(sync::picture::step_rows[step].name);
    }
    case FieldType::exit: return std::string(exit_name(value));
    case FieldType::stack: return collapsed_stack(recording, value);
  }
  return {};
}

int fail(std::string_view problem) {
  print_text(stderr, "keyhole: {}\n", problem);
  return 1;
}

}  // namespace

std::vector<ShownField> fields_of(const Recording& recording, const Entry& entry) {
  const recorder::Row& row = row_of(entry.kind);
  std::vector<ShownField> fields;
  auto add = [&](const recorder::Field& field, u32 value) {
    if (field.type != FieldType::nothing)
      fields.push_back({field.name, field.type, value, text_of(recording, field.type, value)});
  };
  add(row.a, entry.a);
  add(row.b, entry.b);
  add(row.detail, entry.detail);
  return fields;
}

std::string shown_class(std::string_view name) {
  const bool is_concurrent = name.starts_with("java.util.concurrent.");
  return std::string(is_concurrent ? name.substr(0, name.find('$')) : name);
}

std::string_view cause_name(u32 cause) { return cause < std::size(causes) ? causes[cause] : "?"; }

u32 object_of(const Entry& entry) { return row_of(entry.kind).a.type == FieldType::object ? entry.a : 0; }

int show(std::span<char*> words) {
  Options options;
  if (std::string problem = parse_options(words, options); !problem.empty()) {
    print_text(stderr, "keyhole: {}\n\n{}", problem, usage);
    return 2;
  }
  if (options.help) {
    print_text("{}", usage);
    return 0;
  }
  std::string problem;
  std::vector<bool> kinds = parse_events(options.stacks ? "execution_sample" : options.events, problem);
  if (!problem.empty()) return fail(problem);
  Recording recording = read_known_events(options.file);
  if (!recording.problem.empty() && recording.entries.empty()) return fail(recording.problem);
  FILE* out = stdout;
  if (!options.output.empty() && (out = fopen(options.output.c_str(), "we")) == nullptr)
    return fail(fmt::format("cannot write {}: {}", options.output, strerror(errno)));
  if (options.picture) {
    problem = show_pictures(recording, options, out);
    if (!problem.empty()) return fail(problem);
  } else {
    i64 end_ns = recording.entries.empty() ? 0 : recording.entries.back().nanoseconds;
    if (options.until) end_ns = std::min(end_ns, static_cast<i64>(*options.until * 1e6));
    std::string_view what = options.stacks ? "execution sample" : "event";
    usize all = recording.entries.size();
    if (options.stacks)
      all = static_cast<usize>(std::ranges::count(recording.entries, recorder::Kind::execution_sample, &Entry::kind));
    WaitFacts waits = options.waits ? wait_facts_of(recording, end_ns) : WaitFacts{};
    std::vector<Finding> findings = options.findings ? findings_of(recording) : std::vector<Finding>{};
    filter(recording, options, kinds);
    if (recording.entries.empty()) report_nothing(all, what, options);
    else if (options.stacks) show_stacks(recording, options.to == "json", out);
    else if (options.findings && options.to == "json") show_findings_as_json(findings, out);
    else if (options.findings) show_findings_as_text(findings, out);
    else if (options.waits) show_waits(recording, waits_in(recording, waits, options), options.to == "json", out);
    else if (options.summary) show_summary(recording, out);
    else if (options.to == "json") show_as_json(recording, out);
    else if (options.to == "perfetto") show_for_perfetto(recording, out);
    else show_as_text(recording, out);
  }
  bool written = ferror(out) == 0;
  if (out != stdout) written = fclose(out) == 0 && written;
  else fflush(out);
  if (!written) return fail(fmt::format("cannot write {}: {}", options.output, strerror(errno)));
  if (!recording.problem.empty()) return fail(recording.problem);
  if (!recording.complete) print_text(stderr, "keyhole: the recording was not stopped; its end may be missing\n");
  return 0;
}

}  // namespace keyhole::recording
