// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Unified logging in HotSpot's form: -Xlog:gc*=debug,class+load:file=x.log
//
//   KEYHOLE_LOG(info, class_load, "{} source: {}", name, where);
//
// A tag set is one enumerator; its spelling on the command line has '+' for '_'. Arguments are not evaluated when it is
// off.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::log {

enum class Level : u8 { off, error, warning, info, debug, trace };

// X(enumerator): every tag set that a log line uses.
// clang-format off
#define KEYHOLE_LOG_TAG_SETS(X)                                                                                       \
  X(gc) X(gc_phases) X(gc_heap) X(gc_alloc) X(gc_tlab) X(gc_ref) X(gc_verify) X(gc_age) X(gc_task) X(gc_ergo)         \
  X(safepoint) X(handshake) X(monitorinflation) X(locking) X(class_load) X(class_init) X(class_resolve)               \
  X(class_unload) X(verification) X(indy) X(exceptions) X(thread) X(startuptime) X(jit) X(jit_sampling) X(jit_queue)  \
  X(jit_image)                                                                                                        \
  X(codecache) X(races) X(deoptimization) X(natives) X(attach) X(virtualthread) X(virtualthread_pinned)
// clang-format on

enum class TagSet : u8 {
#define X(name) name,
  KEYHOLE_LOG_TAG_SETS(X)
#undef X
      count
};

// The level below which a tag set is silent. Errors and warnings are on from the start, as in java.
extern std::atomic<Level> levels[static_cast<usize>(TagSet::count)];
inline bool enabled(TagSet tags, Level level) {
  return level <= levels[static_cast<usize>(tags)].load(std::memory_order_relaxed);
}

void write(TagSet tags, Level level, fmt::string_view format, fmt::format_args arguments);
template <typename... Arguments>
void print(TagSet tags, Level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(tags, level, format, fmt::make_format_args(arguments...));
}

i64 start_nanoseconds();  // of this process, on the monotonic clock: the origin of uptime

// Configures from the text after "-Xlog" (":gc*=debug:file=x:uptime,level,tags" or nothing). Empty, or java's error
// text.
std::string configure(std::string_view specification);
std::string help_text();  // -Xlog:help

}  // namespace keyhole::log

#define KEYHOLE_LOG(level, tag_set, ...)                                                                     \
  do {                                                                                                       \
    if (::keyhole::log::enabled(::keyhole::log::TagSet::tag_set, ::keyhole::log::Level::level)) [[unlikely]] \
      ::keyhole::log::print(::keyhole::log::TagSet::tag_set, ::keyhole::log::Level::level, __VA_ARGS__);     \
  } while (0)
