// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Log outputs, their levels per tag set, and the -Xlog grammar:  what[:output[:decorators[:options]]].
#include "runtime/base/log.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "runtime/base/mutex.h"

namespace keyhole::log {

std::atomic<Level> levels[static_cast<usize>(TagSet::count)];

namespace {

constexpr usize tag_set_count = static_cast<usize>(TagSet::count);
constexpr std::array<std::string_view, tag_set_count> tag_set_names = {
#define X(name) #name,
    KEYHOLE_LOG_TAG_SETS(X)
#undef X
};
constexpr std::string_view level_names[] = {"off", "error", "warning", "info", "debug", "trace"};

enum Decorator : u32 { uptime = 1, level = 2, tags = 4, pid = 8, tid = 16, wall_time = 32, uptime_millis = 64 };
struct DecoratorName { std::string_view name, abbreviation; u32 bit; };
constexpr DecoratorName decorator_names[] = {{"uptime", "u", uptime}, {"level", "l", level}, {"tags", "tg", tags},
                                             {"pid", "p", pid}, {"tid", "ti", tid}, {"time", "t", wall_time},
                                             {"uptimemillis", "um", uptime_millis}};

struct Output {
  FILE* file = stdout;
  std::string name = "stdout";
  u32 decorators = uptime | level | tags;
  std::array<Level, tag_set_count> levels{};
};

Mutex mutex{LockRank::log};
// And their files.
std::vector<Output*>& outputs() REQUIRES(mutex) {
  static auto* list = new std::vector<Output*>([] {
    auto* standard = new Output();
    standard->levels.fill(Level::warning);
    return std::vector<Output*>{standard};
  }());
  return *list;
}

u64 nanoseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}
const u64 process_start_nanoseconds = nanoseconds(CLOCK_MONOTONIC);

std::string tag_text(TagSet set, char separator) {
  std::string text(tag_set_names[static_cast<usize>(set)]);
  std::replace(text.begin(), text.end(), '_', separator);
  return text;
}

void publish_levels() REQUIRES(mutex) {
  for (usize i = 0; i < tag_set_count; ++i) {
    Level most = Level::off;
    for (Output* output : outputs()) most = std::max(most, output->levels[i]);
    levels[i].store(most, std::memory_order_relaxed);
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    usize end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// "gc*", "gc+heap", "all": does the selector name this tag set?
bool selects(std::string_view selector, TagSet set) {
  if (selector == "all") return true;
  std::string name = tag_text(set, '+');
  if (selector.ends_with('*')) {
    selector.remove_suffix(1);
    return name == selector || (name.starts_with(selector) && name[selector.size()] == '+');
  }
  return name == selector;
}

bool initialize_levels = [] {
  for (auto& entry : levels) entry.store(Level::warning, std::memory_order_relaxed);
  return true;
}();

}  // namespace

i64 start_nanoseconds() { return static_cast<i64>(process_start_nanoseconds); }

void write(TagSet set, Level message_level, fmt::string_view format, fmt::format_args arguments) {
  std::string message = fmt::vformat(format, arguments);
  u64 since_start = nanoseconds(CLOCK_MONOTONIC) - process_start_nanoseconds;
  MutexLock guard(mutex);
  for (Output* output : outputs()) {
    if (message_level > output->levels[static_cast<usize>(set)]) continue;
    std::string line;
    if (output->decorators & wall_time) {
      time_t seconds = time(nullptr);
      tm local;
      localtime_r(&seconds, &local);
      char text[40];
      strftime(text, sizeof text, "[%Y-%m-%dT%H:%M:%S%z]", &local);
      line += text;
    }
    if (output->decorators & uptime) line += fmt::format("[{:.3f}s]", static_cast<double>(since_start) * 1e-9);
    if (output->decorators & uptime_millis) line += fmt::format("[{}ms]", since_start / 1'000'000);
    if (output->decorators & pid) line += fmt::format("[{}]", getpid());
    if (output->decorators & tid) line += fmt::format("[{}]", gettid());
    if (output->decorators & level) line += fmt::format("[{:<7}]", level_names[static_cast<usize>(message_level)]);
    if (output->decorators & tags) line += fmt::format("[{}]", tag_text(set, ','));
    if (!line.empty()) line += ' ';
    line += message;
    line += '\n';
    fwrite(line.data(), 1, line.size(), output->file);
    fflush(output->file);
  }
}

std::string configure(std::string_view specification) {
  if (specification.starts_with(':')) specification.remove_prefix(1);
  std::vector<std::string_view> fields = split(specification, ':');
  std::string_view what = fields[0].empty() ? "all" : fields[0];
  std::string_view where = fields.size() > 1 && !fields[1].empty() ? fields[1] : "stdout";
  MutexLock guard(mutex);

  if (specification == "disable") {
    for (Output* output : outputs()) output->levels.fill(Level::off);
    publish_levels();
    return {};
  }

  // Checks the selectors before it opens an output, so that a mistake changes nothing.
  struct Selection { std::string_view selector; Level level; };
  std::vector<Selection> selections;
  for (std::string_view item : split(what, ',')) {
    usize equals = item.find('=');
    std::string_view selector = item.substr(0, equals);
    Level chosen = Level::info;
    if (equals != std::string_view::npos) {
      std::string_view text = item.substr(equals + 1);
      auto found = std::find(std::begin(level_names), std::end(level_names), text);
      if (found == std::end(level_names)) return fmt::format("Invalid level '{}' in log selection.\n", text);
      chosen = static_cast<Level>(found - std::begin(level_names));
    }
    bool known = selector == "all" || selector == "disable";
    for (usize i = 0; i < tag_set_count && !known; ++i) known = selects(selector, static_cast<TagSet>(i));
    if (!known) return fmt::format("Invalid tag '{}' in log selection.\n", selector);
    selections.push_back({selector, chosen});
  }

  u32 decorators = uptime | level | tags;
  if (fields.size() > 2 && !fields[2].empty()) {
    decorators = 0;
    for (std::string_view name : split(fields[2], ',')) {
      if (name == "none") continue;
      auto found = std::find_if(std::begin(decorator_names), std::end(decorator_names),
                                [&](const DecoratorName& row) { return row.name == name || row.abbreviation == name; });
      if (found == std::end(decorator_names)) return fmt::format("Invalid decorator '{}'.\n", name);
      decorators |= found->bit;
    }
  }

  Output* output = nullptr;
  for (Output* candidate : outputs()) if (candidate->name == where) output = candidate;
  if (output == nullptr) {
    output = new Output();
    output->name = where;
    if (where == "stderr") {
      output->file = stderr;
    } else {
      std::string_view path = where.starts_with("file=") ? where.substr(5) : where;
      std::string expanded(path);
      if (usize at = expanded.find("%p"); at != std::string::npos) expanded.replace(at, 2, fmt::format("{}", getpid()));
      output->file = fopen(expanded.c_str(), "w");
      if (output->file == nullptr) {
        std::string text = fmt::format("Error opening log file '{}': {}\n", expanded, strerror(errno));
        delete output;
        return text;
      }
    }
    outputs().push_back(output);
  }
  output->decorators = decorators;
  for (const Selection& selection : selections) {
    for (usize i = 0; i < tag_set_count; ++i) {
      if (selects(selection.selector, static_cast<TagSet>(i))) output->levels[i] = selection.level;
    }
  }
  publish_levels();
  return {};
}

std::string help_text() {
  std::string text =
      "-Xlog[:<what>[:<output>[:<decorators>[:<options>]]]]\n\n"
      "<what> is a list, separated by commas, of <tags>[=<level>]. Tags that belong together are joined by '+' and\n"
      "select lines with exactly these tags; with '*' behind them, lines with more tags, too. 'all' selects\n"
      "everything. Without a level: info.\n\n"
      "Levels, each with those before it:\n  ";
  for (std::string_view name : level_names)
    text += fmt::format("{}{}", name, name == std::end(level_names)[-1] ? "\n\n" : ", ");
  text += "Decorators (default: uptime,level,tags; 'none' for none):\n  ";
  for (const DecoratorName& row : decorator_names)
    text += fmt::format("{} ({}){}", row.name, row.abbreviation, &row == std::end(decorator_names) - 1 ? "\n\n" : ", ");
  text += "Tags:\n";
  std::string line = " ";
  for (usize i = 0; i < tag_set_count; ++i) {
    std::string name = tag_text(static_cast<TagSet>(i), '+');
    if (line.size() + name.size() > 100) text += line + "\n", line = " ";
    line += fmt::format(" {}{}", name, i + 1 < tag_set_count ? "," : "");
  }
  text += line + "\n\n"
      "Output: stdout (default), stderr or file=<name>; %p in the name is the process id. The <options> that java\n"
      "has for files mean nothing here.\n\n"
      "Examples:\n"
      "  -Xlog:gc                          a line for each collection\n"
      "  -Xlog:gc*=debug                   and its phases, regions, references, worker threads\n"
      "  -Xlog:class+load,class+unload     classes as they come and go\n"
      "  -Xlog:gc,safepoint=debug:file=x.log:uptime,tid\n"
      "                                    collections and stops, into a file, with the time and the thread\n"
      "  -Xlog:disable -Xlog:gc=info:stderr\n"
      "                                    no errors and warnings on stdout; collections on stderr\n";
  return text;
}

}  // namespace keyhole::log
