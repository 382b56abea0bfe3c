// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Register allocation: gives each value and variable one location, a register or a spill slot, for its whole life.
//
// The allocator is a priority allocator. It processes values in the order of their uses per position, and gives each
// value the first register that is free in all live ranges of the value. If no register is free, the value gets a spill
// slot. A value has several live ranges with holes between them, and another value may use the register in a hole. The
// occupied positions of each register are a bitmap. No value changes its location, so edges need no moves except those
// of phis.
//
//   register             role
//   r15                  the thread
//   rbp                  belongs to the C++ frame that entered the handlers: preserved
//   rsp                  the native stack
//   rax, rcx, rdx        scratch within one instruction
//   the other ten        values
//   xmm0, xmm1           scratch within one instruction
//   xmm2 to xmm15        values
//
// A1: a call of Java preserves no allocated register, so a value that is live across a call gets a spill slot. A
//     reference is never live across a call (low_graph.h, G4).
// A2: a call of C does not affect the allocation. The emitter saves the registers that hold live values around the call
//     (emit_calls.cpp).
#pragma once

#include "jit/middle/live_ranges.h"

namespace keyhole::middle {

// Location: a number. 0 to 15 is the general register with this number, 16 to 31 is a vector register, and 32 or more
// is a spill slot.
using Location = u32;
inline constexpr Location no_location = ~0u, first_vector = 16, first_slot = 32;
inline constexpr bool is_general(Location location) { return location < first_vector; }
inline constexpr bool is_vector(Location location) { return location >= first_vector && location < first_slot; }
inline constexpr bool is_slot(Location location) { return location >= first_slot && location != no_location; }
inline constexpr bool is_register(Location location) { return location < first_slot; }

class Allocation {
 public:
  Location of(low::NodeId value) const { return locations_[value]; }
  u32 slots() const { return static_cast<u32>(occupied_.size()) - first_slot; }
  // Whether any value is in the register at this position.
  bool is_occupied(Location location, u32 position) const {
    const std::vector<u64>& bits = occupied_[location];
    return !bits.empty() && (bits[position / 64] >> (position % 64) & 1) != 0;
  }
  u32 spilled() const { return spilled_; }

 private:
  friend class Allocator;
  std::vector<Location> locations_;         // by NodeId
  std::vector<std::vector<u64>> occupied_;  // by Location: positions
  u32 spilled_ = 0;
};

Allocation allocate(const low::Function& function, const BlockOrder& order, const Selection& selection,
                    const LiveRanges& live);

}  // namespace keyhole::middle
