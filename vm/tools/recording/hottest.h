// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The hottest objects of a recording. Objects are ordered by the total time that threads waited for their locks, in
// whole milliseconds; then by the number of acquisitions; then by the order in which the recording names them.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::recording {

// Sorts the objects' `numbers`, the hottest first, and keeps at most `most` of them. waited(number) returns an object's
// total waiting time in nanoseconds, enters(number) how often it was locked.
template <typename Waited, typename Enters>
void keep_hottest(std::vector<u32>& numbers, usize most, Waited waited, Enters enters) {
  auto is_hotter = [&](u32 left, u32 right) {
    i64 left_ms = waited(left) / 1'000'000, right_ms = waited(right) / 1'000'000;
    if (left_ms != right_ms) return left_ms > right_ms;
    return enters(left) != enters(right) ? enters(left) > enters(right) : left < right;
  };
  usize count = std::min(most, numbers.size());
  std::ranges::partial_sort(numbers, numbers.begin() + static_cast<i64>(count), is_hotter);
  numbers.resize(count);
}

}  // namespace keyhole::recording
