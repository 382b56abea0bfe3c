// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The slots that an operation pops and pushes, where the constant pool or an operand tells.
#pragma once

#include "vm/code/operations.h"
#include "vm/verify/slot_types.h"

namespace keyhole::interpreter {

// For any operation of a method with its instruction at `bci`; for a superinstruction its first part's.
inline StackEffect stack_effect(Operation operation, const Method* method, u32 bci) {
  Operation plain = plain_operation(operation);
  if (has_fixed_effect(plain)) return {slots_popped(plain), slots_pushed(plain)};
  return keyhole::stack_effect(method, bci);
}

}  // namespace keyhole::interpreter
