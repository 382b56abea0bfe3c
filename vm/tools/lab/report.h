// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole lock report: one page about a lock, for any browser, without scripts.
//
//   checked     what lockcheck says in each scenario
//   simulated   plots of throughput and fairness beside locks of the VM, by number of threads
//   program     a Java program under this lock and under lightweight: time, processor time, counters
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::lab {

// One line of mutexbench's table.
struct Measured {
  std::string lock;
  u32 threads;
  f64 per_second, jain;
};
std::vector<Measured> measured_in(std::string_view table);

// Draws an SVG plot: a line per lock, over the number of threads. `value` returns the quantity to plot.
std::string plot(std::string_view title, const std::vector<Measured>& points, f64 (*value)(const Measured&));

// Writes NAME.report.html beside the lock's file. `words`: the lock's file, the program, its arguments. Returns the
// exit code: 1 if the check or the program failed; the page is written even then.
int report(std::span<char*> words);

}  // namespace keyhole::lab
