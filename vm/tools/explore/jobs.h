// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Workers: processes that explore the parts of one exploration at the same time (--jobs).
//
//   explorer --fork--> worker 0: an Explorer with its own engine   --report as JSON--> explorer adds the reports
//            --fork--> worker 1: ...
//
// J1: a worker prints nothing and writes no file: its report, with the token of a failing schedule, goes to the
//     explorer through a file in memory.
// J2: the first worker whose report ends the exploration has the others stop. They report what they have done so far.
// J3: workers end with the explorer. A signal to the explorer reaches them, too.
// J4: if a worker ends without a report, a substitute report names the reason.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "vm/tools/explore/report.h"

namespace keyhole::explore {

inline constexpr u32 max_jobs = 256;

// What the workers have done so far, in shared memory.
struct Progress {
  std::atomic<u64> schedules[max_jobs];
};

struct Workers {
  u32 count = 1;
  // Called in the process of each worker.
  std::function<Report(u32 worker, std::atomic<u64>& schedules)> explore;
  // Called in the explorer, for each worker's report. Returns whether the other workers have to stop (J2).
  std::function<bool(u32 worker, const Report& report)> ends_all;
  std::function<bool()> is_interrupted;
  std::function<void(u64 schedules)> show_progress;
};

// Returns the reports by worker.
std::vector<Report> run_workers(const Workers& workers);

}  // namespace keyhole::explore
