// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs of log lines: stdout, stderr and files, each with a level per tag set, decorations, and perhaps rotation.
//
//   file=x.log, filecount=3, filesize=1m
//     x.log        written until it has 1 MiB, then renamed to x.log.0, later to x.log.1, x.log.2, x.log.0 ...
//     A file of that name from an earlier run is kept in the same way. filecount=0: it is overwritten, and grows.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/base/mutex.h"

namespace keyhole::log {

constexpr usize tag_set_count = static_cast<usize>(TagSet::count);
constexpr std::string_view level_names[] = {"off", "error", "warning", "info", "debug", "trace"};

// The decorators, in the order in which a line has them.
enum class Decorator : u8 {
  time,
  utctime,
  uptime,
  timemillis,
  uptimemillis,
  timenanos,
  uptimenanos,
  hostname,
  pid,
  tid,
  level,
  tags,
  count
};
struct DecoratorName {
  std::string_view name, abbreviation;
};
constexpr DecoratorName decorator_names[] = {{"time", "t"},         {"utctime", "utc"},     {"uptime", "u"},
                                             {"timemillis", "tm"},  {"uptimemillis", "um"}, {"timenanos", "tn"},
                                             {"uptimenanos", "un"}, {"hostname", "hn"},     {"pid", "p"},
                                             {"tid", "ti"},         {"level", "l"},         {"tags", "tg"}};
constexpr u32 bit_of(Decorator decorator) { return 1u << static_cast<u32>(decorator); }
constexpr u32 default_decorators = bit_of(Decorator::uptime) | bit_of(Decorator::level) | bit_of(Decorator::tags);

struct FileOptions {
  bool folds_lines = false;      // writes a message in one line: \n for a line's end, \\ for a backslash
  u32 file_count = 5;            // the number of old files; 0: no rotation
  u64 file_size_bytes = 20_MiB;  // 0: no limit
};

struct Output {
  std::string name;  // "stdout", "stderr" or "file=x.log" as on the command line
  FILE* file = stdout;
  u32 decorators = default_decorators;
  FileOptions options;
  std::string path;  // of a file
  u64 written_bytes = 0;
  u32 next_archive = 0;
  std::array<Level, tag_set_count> levels{};
};

extern Mutex mutex;  // guards the outputs and their files
std::vector<Output*>& outputs() REQUIRES(mutex);
Output* find_output(std::string_view name) REQUIRES(mutex);  // null: there is none yet
// Opens the file and adds it as an output, which stays until the process ends. Null: errno says why.
Output* add_file(std::string_view name, const std::string& path, const FileOptions& options) REQUIRES(mutex);
void publish_levels() REQUIRES(mutex);  // call it after changing levels
std::string tag_text(TagSet set, char separator);
std::string file_name(std::string_view pattern, bool expands_host_name);  // %p, %t, %hn
void write_line(Output& output, TagSet set, Level level, std::string_view message) REQUIRES(mutex);

}  // namespace keyhole::log
