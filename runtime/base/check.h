// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assertions and fatal errors.
//
//   KEYHOLE_ASSERT(cond, "format", args...)   debug builds only: an invariant that the code around it establishes; not
//                                             in snippets (jit/snippets)
//   KEYHOLE_CHECK(cond, "format", args...)    always: cheap, and continuing would corrupt data
//   fatal("format", args...)                  the VM cannot continue: crash report, then abort
//   vm_exit_during_initialization(...)        java's "Error occurred during initialization of VM", exit code 1
#pragma once

#include <fmt/format.h>

namespace keyhole {

[[noreturn]] void fatal_error(const char* file, int line, fmt::string_view format, fmt::format_args arguments);
[[noreturn]] void exit_during_initialization(fmt::string_view format, fmt::format_args arguments);

template <typename... Arguments>
[[noreturn]] void fatal_at(const char* file, int line, fmt::format_string<Arguments...> format,
                           Arguments&&... arguments) {
  fatal_error(file, line, format, fmt::make_format_args(arguments...));
}

template <typename... Arguments>
[[noreturn]] void vm_exit_during_initialization(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  exit_during_initialization(format, fmt::make_format_args(arguments...));
}

// Writes the crash report (threads, locks, regions, last events) before abort. Installed by the launcher.
extern void (*crash_report_hook)(const char* message);
// Installed by the model checker, which reports a failed check as its finding. The function does not return while code
// under check runs.
extern void (*check_failed_hook)(const char* message);

}  // namespace keyhole

#define KEYHOLE_FATAL(...) ::keyhole::fatal_at(__FILE__, __LINE__, __VA_ARGS__)
#define KEYHOLE_CHECK(condition, ...)                              \
  do {                                                             \
    if (!(condition)) [[unlikely]]                                 \
      KEYHOLE_FATAL("check failed: " #condition ": " __VA_ARGS__); \
  } while (0)
#if KEYHOLE_DEBUG && !KEYHOLE_BITCODE
#define KEYHOLE_ASSERT(condition, ...) KEYHOLE_CHECK(condition, __VA_ARGS__)
#else
#define KEYHOLE_ASSERT(condition, ...) \
  do {                                 \
  } while (0)
#endif
