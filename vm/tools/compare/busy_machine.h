// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BusyMachine: measures the share of processor time that other processes used during the rounds.
//
//   used by others = (busy time of all processors, of /proc/stat) - (processor time of this process and its children)
#pragma once

#include <optional>

#include "runtime/base/types.h"

namespace keyhole::compare {

class BusyMachine {
 public:
  BusyMachine();
  // Returns the share of all processors' time that processes outside this comparison used since this object was
  // created. Empty if there is no /proc/stat.
  std::optional<f64> share_of_others() const;

 private:
  struct Times {
    f64 all = 0, busy = 0;  // seconds of all processors
    f64 own = 0;
  };
  static std::optional<Times> times();

  std::optional<Times> begin_;
};

// If other processes used at least this share of the processors' time, the report says that the machine was busy.
inline constexpr f64 busy_share = 0.05;

}  // namespace keyhole::compare
