// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Epochs and vector clocks, as in FastTrack (Flanagan and Freund, PLDI 2009).
//
//   epoch          slot << 32 | time     one moment of one thread; 0: no moment
//   vector clock   time by slot          for each thread, the last moment that happens before now
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::races {

using Epoch = u64;
constexpr Epoch epoch_of(u32 slot, u32 time) { return u64{slot} << 32 | time; }
constexpr u32 slot_of_epoch(Epoch epoch) { return static_cast<u32>(epoch >> 32); }
constexpr u32 time_of_epoch(Epoch epoch) { return static_cast<u32>(epoch); }

class VectorClock {
 public:
  u32 time_of(u32 slot) const { return slot < times_.size() ? times_[slot] : 0; }
  bool covers(Epoch epoch) const { return time_of_epoch(epoch) <= time_of(slot_of_epoch(epoch)); }
  void set(u32 slot, u32 time) {
    if (slot >= times_.size()) times_.resize(slot + 1);
    times_[slot] = time;
  }
  void join(const VectorClock& other) {
    if (other.times_.size() > times_.size()) times_.resize(other.times_.size());
    for (usize i = 0; i < other.times_.size(); ++i) times_[i] = std::max(times_[i], other.times_[i]);
  }
  void clear() { times_.clear(); }

 private:
  std::vector<u32> times_;
};

}  // namespace keyhole::races
