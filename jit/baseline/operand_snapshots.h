// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operand snapshots: the state of the operand stack that a slow path needs. A snapshot contains only the operands that
// are not in their stack slots, in an arena of the compilation. A full copy would be too large: a huge class
// initialiser has thousands of slow paths with hundreds of operands, nearly all in their stack slots.
#pragma once

#include <span>
#include <vector>

#include "jit/baseline/value.h"
#include "runtime/base/types.h"

namespace keyhole::baseline {

struct OperandSnapshot {
  u32 depth = 0;
  u32 first = 0, count = 0;  // in the arena
};

class OperandSnapshots {
 public:
  OperandSnapshot take(const std::vector<Value>& stack) {
    OperandSnapshot made{.depth = static_cast<u32>(stack.size()), .first = static_cast<u32>(arena_.size())};
    for (const Value& value : stack) {
      if (value.kind != Value::Kind::Spilled && value.kind != Value::Kind::Unused) arena_.push_back(value);
    }
    made.count = static_cast<u32>(arena_.size()) - made.first;
    return made;
  }
  // The operands that are not in their stack slots, from the deepest one up.
  std::span<const Value> outside_slots(const OperandSnapshot& snapshot) const {
    return std::span(arena_).subspan(snapshot.first, snapshot.count);
  }

 private:
  std::vector<Value> arena_;
};

}  // namespace keyhole::baseline
