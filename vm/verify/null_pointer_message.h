// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpful NullPointerException messages (JEP 358):
//   Cannot invoke "String.length()" because "<local1>" is null
//   Cannot load from int array because the return value of "A.b()" is null
//
// The first half is the action that failed. The second half is the expression that was null. It is found by following
// the operand back to the instruction that pushed it, then that instruction's operands, up to five levels.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole {

// The message for a NullPointerException that the instruction at bci has raised by itself. Empty when there is nothing
// to add, and when the code there made the exception with `new`.
std::string null_pointer_message(Method* method, u32 bci);

}  // namespace keyhole
