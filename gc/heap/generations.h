// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records of the generational plan about ages and survival, from one collection to the next.
//
//   allocated --> Eden --survives--> Survivor (age 1) --survives--> Survivor (age 2) ... --tenuring threshold--> Old
//
// An object's age is in its header (4 bits), unless a lock displaces the header: an object whose header is displaced
// when it is copied is promoted at once. A humongous object's age is its region's. The threshold adapts as in HotSpot:
// it is the age at which, by the sizes of the last collection, younger survivors would fill TargetSurvivorRatio percent
// of the survivor space; at most MaxTenuringThreshold.
#pragma once

#include <array>

#include "gc/heap/region.h"

namespace keyhole::gc {

inline constexpr u32 ages = 1u << layout::age_bits;

// Surviving bytes by their new age: index 1 .. 15.
struct AgeTable {
  std::array<u64, ages> bytes{};

  void add(const AgeTable& other);
  // The lowest age for which the survivors up to this age exceed `desired_bytes`; at most `maximum`.
  u32 tenuring_threshold(u64 desired_bytes, u32 maximum) const;
  u64 total_bytes() const;
};

class Generations {
 public:
  void initialize();

  u32 tenuring_threshold() const { return tenuring_threshold_; }
  // The capacity for survivors that tenuring aims at; it follows from the young size.
  u64 survivor_capacity_bytes() const { return survivor_capacity_bytes_; }

  // --- after a collection --------------------------------------------------------------------------------------------
  // Reports a young collection: `young_bytes` were evacuated, `ages` of them stay young, `promoted_bytes` became old.
  void after_young(u64 number, u64 young_bytes, const AgeTable& ages, u64 promoted_bytes);

  // --- what to expect ------------------------------------------------------------------------------------------------
  // The expected fraction of young bytes to copy, with a margin.
  f64 expected_survival() const;
  // The expected fraction without the margin: the real one is as often above as below it.
  f64 survival() const { return survival_rate_; }
  u64 expected_survivors(u64 young_bytes) const {
    return static_cast<u64>(expected_survival() * static_cast<f64>(young_bytes));
  }

 private:
  u32 tenuring_threshold_ = 0;
  u64 survivor_capacity_bytes_ = 0;
  f64 survival_rate_ = 0;       // decaying average
  f64 survival_deviation_ = 0;  // decaying average of the distance from it
};

}  // namespace keyhole::gc
