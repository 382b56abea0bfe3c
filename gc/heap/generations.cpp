// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ages, tenuring, survival.
#include "gc/heap/generations.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"

namespace keyhole::gc {

void AgeTable::add(const AgeTable& other) {
  for (u32 age = 0; age < ages; ++age) bytes[age] += other.bytes[age];
}

u32 AgeTable::tenuring_threshold(u64 desired_bytes, u32 maximum) const {
  u64 total = 0;
  u32 age = 1;
  for (; age < ages; ++age) {
    total += bytes[age];
    if (total > desired_bytes) break;
  }
  return std::min(age, maximum);
}

u64 AgeTable::total_bytes() const {
  u64 total = 0;
  for (u64 some : bytes) total += some;
  return total;
}

void Generations::initialize() {
  *this = Generations();
  tenuring_threshold_ = static_cast<u32>(std::min(flags::InitialTenuringThreshold, flags::MaxTenuringThreshold));
  survival_rate_ = 0.3;  // nothing is known yet; rate + 2 * deviation = 1: all may survive
  survival_deviation_ = 0.35;
}

void Generations::after_young(u64 number, u64 young_bytes, const AgeTable& table, u64 promoted_bytes) {
  survivor_capacity_bytes_ = young_bytes / (static_cast<u64>(flags::SurvivorRatio) + 2);
  u64 desired = survivor_capacity_bytes_ * static_cast<u64>(flags::TargetSurvivorRatio) / 100;
  tenuring_threshold_ = table.tenuring_threshold(desired, static_cast<u32>(flags::MaxTenuringThreshold));
  KEYHOLE_LOG(debug, gc_age, "GC({}) Desired survivor size {} bytes, new threshold {} (max threshold {})", number,
              desired, tenuring_threshold_, flags::MaxTenuringThreshold);
  u64 total = 0;
  for (u32 age = 1; age < ages; ++age) {
    if (table.bytes[age] == 0) continue;
    total += table.bytes[age];
    KEYHOLE_LOG(trace, gc_age, "GC({}) - age {:3}: {:10} bytes, {:10} total", number, age, table.bytes[age], total);
  }
  if (young_bytes == 0) return;
  constexpr f64 weight = 0.3;
  f64 rate = static_cast<f64>(total + promoted_bytes) / static_cast<f64>(young_bytes);
  survival_deviation_ += weight * (std::abs(rate - survival_rate_) - survival_deviation_);
  survival_rate_ += weight * (rate - survival_rate_);
}

f64 Generations::expected_survival() const { return std::min(1.0, survival_rate_ + 2 * survival_deviation_); }

}  // namespace keyhole::gc
