// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/stat and getrusage.
#include "vm/tools/compare/busy_machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace keyhole::compare {

std::optional<BusyMachine::Times> BusyMachine::times() {
  std::ifstream file("/proc/stat");
  std::string word;
  if (!(file >> word) || word != "cpu") return std::nullopt;
  // columns: user nice system idle iowait irq softirq steal; user includes guest
  constexpr usize idle = 3, iowait = 4, last = 7;
  Times times;
  f64 ticks = static_cast<f64>(sysconf(_SC_CLK_TCK));
  for (usize i = 0; i <= last; ++i) {
    f64 value = 0;
    if (!(file >> value)) return std::nullopt;
    times.all += value / ticks;
    if (i != idle && i != iowait) times.busy += value / ticks;
  }
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      times.own += static_cast<f64>(time.tv_sec) + static_cast<f64>(time.tv_usec) / 1e6;
  }
  return times;
}

BusyMachine::BusyMachine() : begin_(times()) {}

std::optional<f64> BusyMachine::share_of_others() const {
  std::optional<Times> now = times();
  if (!begin_ || !now || now->all <= begin_->all) return std::nullopt;
  f64 others = (now->busy - begin_->busy) - (now->own - begin_->own);
  return std::clamp(others / (now->all - begin_->all), 0.0, 1.0);
}

}  // namespace keyhole::compare
