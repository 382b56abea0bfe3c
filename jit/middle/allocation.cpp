// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders values by priority, and finds a location for each. A value that is moved from or to another value prefers the
// location of that value. An argument or a result prefers its register of the calling convention.
#include "jit/middle/allocation.h"

#include <algorithm>
#include <span>

namespace keyhole::middle {

using low::BlockId;
using low::no_node;
using low::Node;
using low::NodeId;
using low::Op;

namespace {

// The order in which registers are tried: rbx rsi rdi r8 r9 r10 r14 r11 r13 r12. Registers with short encodings come
// first. Registers that the calling convention uses, or that make addresses longer, come last.
constexpr Location general_registers[] = {3, 6, 7, 8, 9, 10, 14, 11, 13, 12};
constexpr Location vector_registers[] = {18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

}  // namespace

// The registers in which parameters arrive, by low::Parameter; no_location for a parameter that arrives in a scratch
// register, and for the thread.
constexpr Location parameter_registers[] = {12, 13, 14, no_location, 7, 6, no_location, no_location};

class Allocator {
 public:
  Allocator(const low::Function& function, const BlockOrder& order, const Selection& selection, const LiveRanges& live)
      : function_(function), order_(order), selection_(selection), live_(live), words_(live.end / 64 + 1),
        hints_(function.nodes.size(), LiveRanges::none) {
    result_.locations_.assign(function.nodes.size(), no_location);
    result_.occupied_.resize(first_slot);
    for (const Location location : general_registers) result_.occupied_[location].assign(words_, 0);
    for (const Location location : vector_registers) result_.occupied_[location].assign(words_, 0);
  }

  Allocation run() {
    for (const u32 call : live_.java_calls) {  // A1
      for (const Location location : general_registers) set(result_.occupied_[location], call, call + 1);
      for (const Location location : vector_registers) set(result_.occupied_[location], call, call + 1);
    }
    find_hints();
    struct Candidate {
      f32 priority;
      NodeId value;
    };
    std::vector<Candidate> candidates;
    candidates.reserve(live_.values.size());
    constexpr f32 base_length = 4;
    for (const NodeId value : live_.values)
      candidates.push_back({live_.weight[value] / (base_length + static_cast<f32>(live_.length[value])), value});
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.value < b.value;
    });
    for (const Candidate& candidate : candidates) place(candidate.value);
    return std::move(result_);
  }

 private:
  struct Hint {
    NodeId value;       // a value whose register or spill slot the allocator tries first, or no_node
    Location location;  // a preferred location
    u32 next;
  };

  static void set(std::vector<u64>& bits, u32 begin, u32 end) {
    for (u32 word = begin / 64; word <= (end - 1) / 64; ++word) bits[word] |= mask(word, begin, end);
  }
  static u64 mask(u32 word, u32 begin, u32 end) {
    u64 bits = ~u64{0};
    if (word == begin / 64) bits &= ~u64{0} << (begin % 64);
    if (word == (end - 1) / 64) bits &= ~u64{0} >> (63 - (end - 1) % 64);
    return bits;
  }
  bool is_free(const std::vector<u64>& bits, NodeId value) const {
    for (u32 i = live_.first[value]; i != LiveRanges::none; i = live_.ranges[i].next) {
      const Range& range = live_.ranges[i];
      for (u32 word = range.begin / 64; word <= (range.end - 1) / 64; ++word) {
        if ((bits[word] & mask(word, range.begin, range.end)) != 0) return false;
      }
    }
    return true;
  }
  void take(Location location, NodeId value) {
    for (u32 i = live_.first[value]; i != LiveRanges::none; i = live_.ranges[i].next)
      set(result_.occupied_[location], live_.ranges[i].begin, live_.ranges[i].end);
    result_.locations_[value] = location;
  }

  void place(NodeId value) {
    const low::Type type = function_.nodes[value].type;
    const bool is_float = type == low::Type::F32 || type == low::Type::F64;
    for (u32 i = hints_[value]; i != LiveRanges::none; i = all_hints_[i].next) {
      const Hint& hint = all_hints_[i];
      const Location wanted = hint.value == no_node ? hint.location : result_.locations_[hint.value];
      if (wanted == no_location || is_slot(wanted) || is_vector(wanted) != is_float) continue;
      if (result_.occupied_[wanted].empty() || !is_free(result_.occupied_[wanted], value)) continue;
      return take(wanted, value);
    }
    const std::span<const Location> registers =
        is_float ? std::span<const Location>(vector_registers) : std::span<const Location>(general_registers);
    for (const Location location : registers) {
      if (is_free(result_.occupied_[location], value)) return take(location, value);
    }
    ++result_.spilled_;
    constexpr usize most_tries = 32;
    const usize slots = result_.occupied_.size();
    for (usize slot = std::max<usize>(first_slot, slots - std::min(slots - first_slot, most_tries)); slot < slots;
         ++slot) {
      if (is_free(result_.occupied_[slot], value)) return take(static_cast<Location>(slot), value);
    }
    result_.occupied_.emplace_back(words_, 0);
    take(static_cast<Location>(slots), value);
  }

  void prefer(NodeId value, NodeId other) {
    if (value == other || live_.first[value] == LiveRanges::none || live_.first[other] == LiveRanges::none) return;
    add(value, {other, no_location, hints_[value]});
    add(other, {value, no_location, hints_[other]});
  }
  void prefer_register(NodeId operand, Location location) {
    if (location == no_location || operand == no_node) return;
    const NodeId value = selection_.resolve(operand);
    if (selection_.form[value] == Form::Value) add(value, {no_node, location, hints_[value]});
  }
  void add(NodeId value, Hint hint) {
    all_hints_.push_back(hint);
    hints_[value] = static_cast<u32>(all_hints_.size() - 1);
  }
  void prefer_operand(NodeId value, NodeId operand) {
    const NodeId other = selection_.resolve(operand);
    if (selection_.form[other] == Form::Value) prefer(value, other);
  }

  void find_hints() {
    for (const NodeId id : live_.emitted) {
      const Node& node = function_.nodes[id];
      auto operand = [&](u32 i) { return function_.operand(id, i); };
      switch (node.op) {
        case Op::Set: prefer_operand(operand(0), operand(1)); break;
        case Op::Select:
          prefer_operand(id, operand(2));
          prefer_operand(id, operand(1));
          break;
        case Op::CallJava:
          prefer_register(operand(1), parameter_registers[static_cast<u32>(low::Parameter::Frame)]);
          prefer_register(operand(2), parameter_registers[static_cast<u32>(low::Parameter::Slot)]);
          break;
        default:
          if (node.op >= Op::Add && node.op <= Op::Bits) prefer_operand(id, operand(0));
      }
    }
    for (const NodeId value : live_.values) {
      const Node& node = function_.nodes[value];
      if (node.op == Op::Phi) {
        for (u32 i = node.operand_count; i-- > 0;) prefer_operand(value, function_.operand(value, i));
      } else if (node.op == Op::Parameter) {
        prefer_register(value, parameter_registers[node.bits]);
      }
    }
  }

  const low::Function& function_;
  [[maybe_unused]] const BlockOrder& order_;
  const Selection& selection_;
  const LiveRanges& live_;
  const usize words_;
  std::vector<Hint> all_hints_;
  std::vector<u32> hints_;  // by NodeId: its last hint
  Allocation result_;
};

Allocation allocate(const low::Function& function, const BlockOrder& order, const Selection& selection,
                    const LiveRanges& live) {
  return Allocator(function, order, selection, live).run();
}

}  // namespace keyhole::middle
