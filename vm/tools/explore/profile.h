// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Profile: counts the operations of one execution by strand and location. Policy::weighted (oracle.h O5) draws
// schedules by these counts.
#pragma once

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

class Profile {
 public:
  explicit Profile(const Execution& execution);

  // Returns the schedule of a seed. The sampler counts only the operations on one location, or all operations. The
  // seed chooses which: consecutive seeds take each shared location in turn, and then all operations.
  Schedule schedule(u64 seed) const;
  usize focuses() const { return focuses_.size(); }

 private:
  struct Focus {
    u64 location;
    std::vector<u32> weights;
  };
  std::vector<Focus> focuses_;
  std::vector<u8> parents_;
};

}  // namespace keyhole::explore
