// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the competing threads, and the time during which all of them compete.
#include "vm/tools/recording/competition.h"

#include <algorithm>
#include <climits>

namespace keyhole::recording {

void Competition::note(u32 thread, i64 now) {
  Taker& taker = takers_[thread];
  if (taker.enters++ == 0) taker.first = now;
  taker.last = now;
  ++enters_;
}

bool Competition::competes(const Taker& taker) const { return taker.enters * 10 * takers_.size() >= enters_; }

void Competition::find() {
  from_ = 0;
  until_ = INT64_MAX;
  for (const auto& [thread, taker] : takers_) {
    if (!competes(taker)) continue;
    from_ = std::max(from_, taker.first);
    until_ = std::min(until_, taker.last);
  }
}

std::optional<f64> Competition::jain() const {
  f64 count = 0, sum = 0, squares = 0;
  for (const auto& [thread, taker] : takers_) {
    if (!competes(taker)) continue;
    f64 enters = static_cast<f64>(taker.while_competing);
    ++count, sum += enters, squares += enters * enters;
  }
  if (count <= 1 || squares <= 0 || from_ >= until_) return {};
  return sum * sum / (count * squares);
}

}  // namespace keyhole::recording
