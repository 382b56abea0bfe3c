// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of the locking algorithms: a block in each thread, written by its owner only, read by any thread (racily, or
// at a safepoint).
#pragma once

#include <array>
#include <atomic>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

enum class LockCounter : u32 {
#define LOCK_COUNTER(name, meaning) name,
#include "runtime/threads/lock_counters.def"
#undef LOCK_COUNTER
  Count
};
inline constexpr u32 lock_counter_count = static_cast<u32>(LockCounter::Count);

inline constexpr std::array<std::string_view, lock_counter_count> lock_counter_names = {
#define LOCK_COUNTER(name, meaning) #name,
#include "runtime/threads/lock_counters.def"
#undef LOCK_COUNTER
};

class LockCounters {
 public:
  // Called by the owner only, so no atomic read-modify-write is needed.
  void add(LockCounter counter, u64 amount = 1) {
    std::atomic<u64>& value = values_[static_cast<u32>(counter)];
    value.store(value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void add(const LockCounters& others) {
    for (u32 i = 0; i < lock_counter_count; ++i) {
      LockCounter counter = static_cast<LockCounter>(i);
      if (u64 amount = others.get(counter)) add(counter, amount);
    }
  }
  u64 get(LockCounter counter) const { return values_[static_cast<u32>(counter)].load(std::memory_order_relaxed); }
  // Whether all counters are 0. The function reads every counter. The alternative, a flag for "some counter has
  // changed", would cost a store at each increment, also in compiled code.
  bool is_clear() const {
    u64 any = 0;
    for (const auto& value : values_) any |= value.load(std::memory_order_relaxed);
    return any == 0;
  }
  void clear() {
    for (auto& value : values_) value.store(0, std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<u64>, lock_counter_count> values_{};
};

}  // namespace keyhole
