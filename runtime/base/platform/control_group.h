// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Control group: the CPU quota that Linux gives this process, in version 1 and in version 2 of control groups.
//
//     /proc/self/cgroup      the group of the process:  "4:cpu,cpuacct:/path" (version 1), "0::/path" (version 2)
//     /proc/self/mountinfo   the folder in which the groups are, and the group that this folder shows
//     cpu.cfs_quota_us, cpu.cfs_period_us    -1: no quota (version 1)
//     cpu.max                                "QUOTA PERIOD", "max PERIOD": no quota (version 2)
//
// A machine that has both versions keeps the CPU controller in one of them, and a line of /proc/self/cgroup that names
// the controller says that it is version 1. A quota limits all groups below its own, so the smallest of the group and
// the groups around it counts, as in java 25. java 17 reads only that of the process's own group.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole {

class ControlGroup {
 public:
  // Finds the group of this process. `root` stands in front of every path, for tests.
  static ControlGroup of_process(const std::string& root = {});

  // The quota as a number of processors, rounded up; 0: there is none. Reads the group's files.
  u32 quota_in_processors() const;

 private:
  bool is_version_1_ = false;
  std::vector<std::string> folders_;  // of the group, and of the groups around it
};

}  // namespace keyhole
