// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BusyMachine: the share of the processors that other processes used during the rounds.
//
//   used by others = (busy time of all processors, of /proc/stat) - (processor time of this process and its children)
#pragma once

#include <optional>

#include "runtime/base/types.h"

namespace keyhole::compare {

class BusyMachine {
 public:
  BusyMachine();
  // The share of all processors' time since the beginning. Empty: there is no /proc/stat.
  std::optional<f64> share_of_others() const;

 private:
  struct Times {
    f64 all = 0, busy = 0;  // seconds of all processors
    f64 own = 0;
  };
  static std::optional<Times> times();

  std::optional<Times> begin_;
};

// From this share on, the report says so.
inline constexpr f64 busy_share = 0.05;

}  // namespace keyhole::compare
