// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SpinBudget: the number of reads that a thread spends on a held monitor before it parks, as a template over World.
// Each monitor has one, at first the largest. It grows when a spinning thread gets the lock, and shrinks when a thread
// spins in vain.
//
//   0 ──success within free_reads──> 110 ──each success: + 10──> 500        each spin in vain: - 20, down to 0
//
// B1: each spin begins with free_reads reads, which need no budget. A budget of 0 grows again only when a thread gets
//     the lock during these reads, and then at once to more than least_after_success.
// B2: threads change the budget without synchronization. A lost change only costs time.
#pragma once

#include <algorithm>

#include "runtime/base/platform/world.h"

namespace keyhole::sync {

template <typename W> class SpinBudgetOf {
 public:
  static constexpr u32 free_reads = 10;
  static constexpr i32 largest = 500;

  i32 reads() const { return reads_.load(std::memory_order_relaxed); }
  void was_in_vain() {
    i32 now = reads();
    if (now > 0) reads_.store(std::max(now - shrinkage, 0), std::memory_order_relaxed);
  }
  void has_paid() {
    i32 now = reads();
    i32 grown = std::clamp(now, least_after_success, largest - growth) + growth;
    if (grown != now) reads_.store(grown, std::memory_order_relaxed);
  }

 private:
  static constexpr i32 least_after_success = 100, growth = 10, shrinkage = 20;

  typename W::template Atomic<i32> reads_{largest};
};

}  // namespace keyhole::sync
