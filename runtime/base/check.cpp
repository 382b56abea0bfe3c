// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fatal errors: prints, reports, aborts.
#include "runtime/base/check.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/base/print.h"

namespace keyhole {

void (*crash_report_hook)(const char* message) = nullptr;
void (*check_failed_hook)(const char* message) = nullptr;

void fatal_error(const char* file, int line, fmt::string_view format, fmt::format_args arguments) {
  static thread_local bool reporting = false;
  std::string message = fmt::format("{}:{}: {}", file, line, fmt::vformat(format, arguments));
  if (check_failed_hook != nullptr) check_failed_hook(message.c_str());
  if (reporting) abort();
  reporting = true;
  print_text(stderr, "#\n# A fatal error has been detected by Keyhole:\n#\n#  {}\n#\n", message);
  fflush(nullptr);
  if (crash_report_hook != nullptr) crash_report_hook(message.c_str());
  abort();
}

void exit_during_initialization(fmt::string_view format, fmt::format_args arguments) {
  print_text("Error occurred during initialization of VM\n{}\n", fmt::vformat(format, arguments));
  fflush(nullptr);
  _Exit(1);
}

}  // namespace keyhole
