// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// FrameMaps: the finished, compact maps of one method, and their construction.
//
//   FrameMaps | entries, by bci then context | return slots | map words
//
// An entry is 12 bytes. If locals and operands fit into 32 bits the map is in the entry. Larger maps follow the
// entries; equal ones are shared. Only FrameMaps itself is kept after the dataflow.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/types.h"

namespace keyhole {

class Method;

struct FrameMapEntry {
  u16 bci;
  u16 depth;           // number of operands before the instruction
  u16 argument_slots;  // if it is an invoke: its number of argument slots
  u16 return_slots;    // with jsr: index into return_slots of this entry's list, else none
  u32 bits;            // bit i is slot i; or the index of the map's first word
  static constexpr u16 none = 0xFFFF;
};

// A line of a list: slot `slot` holds the return address `return_bci`. A line with slot == end ends the list.
struct ReturnSlot {
  u16 slot, return_bci;
  static constexpr u16 end = 0xFFFF;
};

struct FrameMaps {
  u32 entry_count;
  u32 return_slot_count;
  u32 word_count;
  u32 words_per_map;  // 0: the maps are in the entries

  const FrameMapEntry* entries() const { return reinterpret_cast<const FrameMapEntry*>(this + 1); }
  const ReturnSlot* return_slots() const { return reinterpret_cast<const ReturnSlot*>(entries() + entry_count); }
  const u32* words() const { return reinterpret_cast<const u32*>(return_slots() + return_slot_count); }
  FrameMapEntry* entries() { return const_cast<FrameMapEntry*>(const_cast<const FrameMaps*>(this)->entries()); }
  bool holds_reference(const FrameMapEntry& entry, u32 slot) const {
    u32 word = words_per_map == 0 ? entry.bits : words()[entry.bits + slot / 32];
    return (word >> (slot % 32) & 1) != 0;
  }
  // The first entry of this bci, or null.
  const FrameMapEntry* find(u32 bci) const;
  usize bytes() const {
    return sizeof(FrameMaps) + entry_count * sizeof(FrameMapEntry) + return_slot_count * sizeof(ReturnSlot) +
           word_count * 4;
  }
};
static_assert(sizeof(FrameMapEntry) == 12 && sizeof(FrameMaps) == 16);

struct FreeMaps {
  void operator()(FrameMaps* maps) const { free(maps); }
};
using OwnedFrameMaps = std::unique_ptr<FrameMaps, FreeMaps>;

// Runs the dataflow and makes a map for each bci that can be a safepoint, and for `wanted_bci` in any case. Null:
// `reason` says why the code is ill-typed. Memory comes from malloc, because no stopped Java thread holds its locks.
OwnedFrameMaps build_frame_maps(const Method* method, std::string& reason, u32 wanted_bci = ~0u);

}  // namespace keyhole
