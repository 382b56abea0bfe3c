// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the levels per tag set, and passes lines on to the outputs.
#include "runtime/base/log.h"

#include "runtime/base/log_option.h"
#include "runtime/base/log_output.h"

namespace keyhole::log {

std::atomic<Level> levels[tag_set_count];

namespace {

const bool levels_are_initialized = [] {
  for (auto& entry : levels) entry.store(Level::warning, std::memory_order_relaxed);
  return true;
}();

}  // namespace

void write(TagSet set, Level level, fmt::string_view format, fmt::format_args arguments) {
  std::string message = fmt::vformat(format, arguments);
  MutexLock guard(mutex);
  for (Output* output : outputs()) {
    if (level <= output->levels[static_cast<usize>(set)]) write_line(*output, set, level, message);
  }
}

std::string configure(std::string_view specification) {
  Outcome outcome = configure_option(specification, HotSpot::v25);
  return outcome.is_valid ? std::string() : outcome.messages;
}

}  // namespace keyhole::log
