// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs of the log, decorations and rotation.
#include "runtime/base/log_output.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace keyhole::log {

Mutex mutex{LockRank::log};

namespace {

constexpr std::array<std::string_view, tag_set_count> tag_set_names = {
#define X(name) #name,
    KEYHOLE_LOG_TAG_SETS(X)
#undef X
};

u64 nanoseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

const u64 process_start_nanoseconds = nanoseconds(CLOCK_MONOTONIC);

// The date as in ISO 8601, with milliseconds: 2031-05-03T10:15:00.123+0200.
std::string date_text(bool in_utc) {
  u64 now = nanoseconds(CLOCK_REALTIME);
  auto seconds = static_cast<time_t>(now / 1'000'000'000);
  tm parts;
  if (in_utc) gmtime_r(&seconds, &parts);
  else localtime_r(&seconds, &parts);
  char date[32], zone[8];
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  strftime(zone, sizeof zone, "%z", &parts);
  return fmt::format("{}.{:03}{}", date, now / 1'000'000 % 1000, zone);
}

std::string host_name() {
  char text[256] = "";
  gethostname(text, sizeof text - 1);
  return text;
}

std::string decoration(Decorator decorator, TagSet set, Level level) {
  u64 since_start = nanoseconds(CLOCK_MONOTONIC) - process_start_nanoseconds;
  switch (decorator) {
    case Decorator::time: return date_text(false);
    case Decorator::utctime: return date_text(true);
    case Decorator::uptime: return fmt::format("{:.3f}s", static_cast<double>(since_start) * 1e-9);
    case Decorator::timemillis: return fmt::format("{}ms", nanoseconds(CLOCK_REALTIME) / 1'000'000);
    case Decorator::uptimemillis: return fmt::format("{}ms", since_start / 1'000'000);
    case Decorator::timenanos: return fmt::format("{}ns", nanoseconds(CLOCK_MONOTONIC));
    case Decorator::uptimenanos: return fmt::format("{}ns", since_start);
    case Decorator::hostname: return host_name();
    case Decorator::pid: return fmt::format("{}", getpid());
    case Decorator::tid: return fmt::format("{}", gettid());
    case Decorator::level: return fmt::format("{:<7}", level_names[static_cast<usize>(level)]);
    case Decorator::tags: return tag_text(set, ',');
    case Decorator::count: break;
  }
  return {};
}

u32 digits_of(u32 number) { return number < 10 ? 1 : 1 + digits_of(number / 10); }

std::string archive_name(const Output& output, u32 number) {
  return fmt::format("{}.{:0{}}", output.path, number, digits_of(output.options.file_count - 1));
}

// The number for the next archived file: the first free one, or that of the oldest file.
u32 first_archive(const Output& output) {
  u32 oldest = 0;
  time_t oldest_time = 0;
  for (u32 number = 0; number < output.options.file_count; ++number) {
    struct stat status;
    if (stat(archive_name(output, number).c_str(), &status) != 0) return number;
    if (number == 0 || status.st_mtime < oldest_time) oldest = number, oldest_time = status.st_mtime;
  }
  return oldest;
}

void archive(Output& output) {
  rename(output.path.c_str(), archive_name(output, output.next_archive).c_str());
  output.next_archive = (output.next_archive + 1) % output.options.file_count;
}

bool is_regular_file(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void rotate_if_full(Output& output) REQUIRES(mutex) {
  const FileOptions& options = output.options;
  if (output.path.empty() || options.file_count == 0 || options.file_size_bytes == 0) return;
  if (output.written_bytes < options.file_size_bytes) return;
  fclose(output.file);
  archive(output);
  output.file = fopen(output.path.c_str(), "we");
  output.written_bytes = 0;
}

std::string folded(std::string_view message) {
  std::string text;
  for (char c : message) {
    if (c == '\n') text += "\\n";
    else if (c == '\\') text += "\\\\";
    else text += c;
  }
  return text;
}

}  // namespace

std::string tag_text(TagSet set, char separator) {
  std::string text(tag_set_names[static_cast<usize>(set)]);
  std::replace(text.begin(), text.end(), '_', separator);
  return text;
}

std::vector<Output*>& outputs() {
  static auto* list = new std::vector<Output*>([] {
    auto* standard = new Output();
    standard->name = "stdout";
    standard->levels.fill(Level::warning);
    auto* errors = new Output();
    errors->name = "stderr";
    errors->file = stderr;
    return std::vector<Output*>{standard, errors};
  }());
  return *list;
}

Output* find_output(std::string_view name) {
  for (Output* output : outputs())
    if (output->name == name) return output;
  return nullptr;
}

Output* add_file(std::string_view name, const std::string& path, const FileOptions& options) {
  auto* output = new Output();
  output->name = name;
  output->path = path;
  output->options = options;
  if (options.file_count > 0 && is_regular_file(path)) {
    output->next_archive = first_archive(*output);
    archive(*output);
  }
  output->file = fopen(path.c_str(), "we");
  if (output->file == nullptr) {
    int reason = errno;
    delete output;
    errno = reason;
    return nullptr;
  }
  outputs().push_back(output);
  return output;
}

void publish_levels() {
  for (usize i = 0; i < tag_set_count; ++i) {
    Level most = Level::off;
    for (Output* output : outputs()) most = std::max(most, output->levels[i]);
    levels[i].store(most, std::memory_order_relaxed);
  }
}

std::string file_name(std::string_view pattern, bool expands_host_name) {
  std::string name(pattern);
  auto replace = [&](std::string_view what, const std::string& by) {
    if (usize at = name.find(what); at != std::string::npos) name.replace(at, what.size(), by);
  };
  u64 uptime_nanoseconds = nanoseconds(CLOCK_MONOTONIC) - process_start_nanoseconds;
  auto start = static_cast<time_t>((nanoseconds(CLOCK_REALTIME) - uptime_nanoseconds) / 1'000'000'000);
  tm parts;
  localtime_r(&start, &parts);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%d_%H-%M-%S", &parts);
  replace("%p", fmt::format("{}", getpid()));
  replace("%t", date);
  if (expands_host_name) replace("%hn", host_name());
  return name;
}

void write_line(Output& output, TagSet set, Level level, std::string_view message) {
  std::string prefix;
  for (u32 i = 0; i < static_cast<u32>(Decorator::count); ++i) {
    auto decorator = static_cast<Decorator>(i);
    if ((output.decorators & bit_of(decorator)) != 0) prefix += fmt::format("[{}]", decoration(decorator, set, level));
  }
  if (!prefix.empty()) prefix += ' ';
  std::string text;
  if (output.options.folds_lines) {
    text = prefix + folded(message) + '\n';
  } else {
    text = prefix;
    for (char c : message) {
      text += c;
      if (c == '\n') text += prefix;
    }
    text += '\n';
  }
  if (output.file == nullptr) return;  // it could not be opened again
  fwrite(text.data(), 1, text.size(), output.file);
  fflush(output.file);
  output.written_bytes += text.size();
  rotate_if_full(output);
}

i64 start_nanoseconds() { return static_cast<i64>(process_start_nanoseconds); }

}  // namespace keyhole::log
