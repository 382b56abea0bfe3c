// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The types of slots in frame maps, and the effect of each instruction on them. Loads no class, takes no lock.
//
//                       Top  (conflicting, or never written)
//    +------+-------+----+-----+----------+----------------+
//   Int  Float    Long  Double Reference  ReturnAddress(c)
//
// All references are one type, including null, uninitialised objects and arrays. long and double take two slots; the
// upper one, ...Upper, has the value (runtime/threads/frame.h).
#pragma once

#include <string>

#include "vm/verify/dataflow.h"

namespace keyhole {

enum class SlotKind : u8 { Top, Int, Float, Long, LongUpper, Double, DoubleUpper, Reference, ReturnAddress };

class SlotType {
 public:
  constexpr SlotType() = default;
  constexpr SlotType(SlotKind kind) : raw_(static_cast<u32>(kind)) {}
  static constexpr SlotType top() { return SlotKind::Top; }
  static constexpr SlotType return_address(u32 context) {
    SlotType type(SlotKind::ReturnAddress);
    type.raw_ |= context << 8;
    return type;
  }
  constexpr SlotKind kind() const { return static_cast<SlotKind>(raw_ & 0xFF); }
  constexpr bool is_reference() const { return kind() == SlotKind::Reference; }
  constexpr bool is_return_address() const { return kind() == SlotKind::ReturnAddress; }
  constexpr u32 context() const { return raw_ >> 8; }
  friend constexpr bool operator==(SlotType, SlotType) = default;

 private:
  u32 raw_ = 0;
};

// The Domain (vm/verify/dataflow.h) of frame maps. It rejects code that mixes up kinds of slots, and does not
// distinguish references.
class SlotDomain {
 public:
  using Type = SlotType;
  using State = FlowState<SlotType>;

  explicit SlotDomain(const Method* method) : method_(method) {}

  bool enter(State& state);
  bool step(State& state, u32 bci);
  bool merge(SlotType& into, SlotType, bool) {  // only called with different types
    if (into == SlotType::top()) return false;
    into = SlotType::top();
    return true;
  }
  bool merge_flags(u32&, u32) { return false; }
  SlotType exception_type(const ExceptionHandler&) { return SlotKind::Reference; }
  void fault(FlowFault fault, u32 bci, u32 detail);
  bool failed() const { return !reason_.empty(); }
  // The reason why the code was rejected.
  const std::string& reason() const { return reason_; }

 private:
  bool refuse(u32 bci, const char* why);
  bool pop(State& state, u32 bci, SlotKind kind);
  bool push(State& state, u32 bci, SlotKind kind);
  bool push_type(State& state, u32 bci, BasicType type);
  bool pop_type(State& state, u32 bci, BasicType type);
  bool pop_arguments(State& state, u32 bci, const Symbol* descriptor);
  bool load(State& state, u32 bci, u32 local, char letter);
  bool store(State& state, u32 bci, u32 local, char letter);
  bool shuffle(State& state, u32 bci, u8 opcode);

  const Method* method_;
  std::string reason_;
};

// The number of slots that the invoke at bci pops, including the receiver; 0 for any other instruction.
u32 invoke_argument_slots(const Method* method, u32 bci);
// The numbers of slots that the instruction at bci pops and pushes. Covers `jsr` and the shuffles, too.
struct StackEffect {
  u32 pops, pushes;
};
StackEffect stack_effect(const Method* method, u32 bci);

// The shuffles (pop, pop2, dup..., swap): they take the top `taken` slots and put back `count` of them. The list has
// the positions from the top, bottom first.
struct ShufflePattern {
  u8 taken, count, from_top[6];
};
const ShufflePattern& shuffle_pattern(u8 opcode);

// The letter (i l f d a) in bytecodes.def if the opcode loads a local (or stores one), else 0.
char local_load_letter(u8 opcode);
char local_store_letter(u8 opcode);

}  // namespace keyhole
