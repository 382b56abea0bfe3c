// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The script of a failing execution: one column per thread, time goes down.
//
//   main                      main.1                        main.2
//   Overdraw.java:9 ...
//     starts Thread-0
//                             Overdraw.java:4 if (...)
//                               reads balance = 100
//
// Shown: starts of threads, and what happens at locations that several threads use. Not shown: the library's own
// affairs, and events that come before all of these.
#pragma once

#include <string>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

struct Script {
  std::string text;
  u32 shown = 0;
};
// `execution` was run with texts. `source_file`: the program's source, to show its lines; may be empty.
Script script_text(const Execution& execution, const std::string& source_file);

}  // namespace keyhole::explore
