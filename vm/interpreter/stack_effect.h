// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of slots that an operation pops and pushes, even if they depend on the constant pool or on an operand.
#pragma once

#include "vm/code/operations.h"
#include "vm/verify/slot_types.h"

namespace keyhole::interpreter {

// Returns the stack effect of the method's instruction at `bci`. `operation` is the operation that the instruction has
// now, which may be a quick operation. For a superinstruction, returns the effect of its first part.
inline StackEffect stack_effect(Operation operation, const Method* method, u32 bci) {
  Operation plain = plain_operation(operation);
  if (has_fixed_effect(plain)) return {slots_popped(plain), slots_pushed(plain)};
  return keyhole::stack_effect(method, bci);
}

}  // namespace keyhole::interpreter
