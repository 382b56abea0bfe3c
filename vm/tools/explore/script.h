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
// It shows starts of threads, waits, parks, and operations on locations that several threads use. After a deadlock, it
// also shows the acquisitions of the monitors that are held. It omits releases of monitors, accesses to fields of
// java.lang.Thread and to caches of call sites, operations in quiet methods, and other events before the root
// (engine.h).
#pragma once

#include <string>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

struct Script {
  std::string text;
  u32 shown = 0;
};
// `execution` must include the texts of its events (Engine::run with `describes`). `source_file` is the program's
// source, for showing its lines; it may be empty.
Script script_text(const Execution& execution, const std::string& source_file);

}  // namespace keyhole::explore
