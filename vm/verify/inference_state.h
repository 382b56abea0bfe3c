// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The state that inference keeps before each instruction, and the instructions with their checked operands.
//
// Subroutines (JVMS 4.10.2.5): at a `ret` each local has a type from the subroutine and a type from the caller. For
// each subroutine that has not returned, a mask records which locals it has written:
//
//   local written by the subroutine         after ret: its type at the ret
//   any other local                         after ret: its type at the jsr to which control returns
//
// I1: the masks of a state are in the order of their calls, outermost first. No entry occurs twice.
// I2: a `ret` belongs to one subroutine, and one ret returns to each jsr. The analysis of a ret depends on the states
//     of all jsr that call its subroutine, so each of these jsr knows its ret and queues it again when its own state
//     changes.
#pragma once

#include <memory>
#include <vector>

#include "vm/bytecodes.h"
#include "vm/metadata/method.h"
#include "vm/verify/verification_type.h"

namespace keyhole::inference {

using Type = VerificationType;
inline constexpr u32 no_instruction = ~0u;

struct Mask {
  u32 entry;                  // the subroutine's first instruction
  std::vector<bool> written;  // by local
  friend bool operator==(const Mask&, const Mask&) = default;
};

// A value that states share until one of them writes. Sharing saves memory: most instructions change little of a state,
// and a method may have 65,535 locals before each of as many instructions.
template <typename T> class Shared {
 public:
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  T& writable() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }
  bool is_same(const Shared& other) const { return value_ == other.value_; }

 private:
  std::shared_ptr<T> value_ = std::make_shared<T>();
};

struct State {
  Shared<std::vector<Type>> operands;  // bottom first
  Shared<std::vector<Type>> locals;    // locals beyond its end are Top
  Shared<std::vector<Mask>> masks;
  bool is_constructed = false;   // super() or this() has returned on every path
  bool must_not_return = false;  // a path leads through an exception of super() or this()
};

struct Instruction {
  u32 bci = 0;
  u8 opcode = NOP;  // the opcode without `wide`, and `load` for load_n
  bool calls_initializer = false;
  bool checks_protected = false;  // its operand is a protected member of a superclass in another package
  bool changed = false, reached = false;
  u32 local = 0;
  u32 constant = 0;
  u32 dimensions = 0;
  Type type;                      // the class operand, or the owner of the member
  std::vector<u32> targets = {};  // instruction numbers; the dataflow finds those of a ret
  u32 ret = no_instruction;       // of a jsr
  State before = {};
};

struct Handler {
  u32 first, end, target;
  Type caught;
};  // instruction numbers

}  // namespace keyhole::inference
