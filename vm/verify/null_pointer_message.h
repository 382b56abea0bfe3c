// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpful NullPointerException messages (JEP 358):
//   Cannot invoke "String.length()" because "<local1>" is null
//   Cannot load from int array because the return value of "A.b()" is null
//
// The first half is the failed action. The second is the expression that was null, found by following the operand back
// to the instruction that pushed it, and that one's operands, up to five levels.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole {

// For a NullPointerException that the instruction at bci raised by itself. Empty when there is nothing to add, also
// when the code there made the exception with `new`.
std::string null_pointer_message(Method* method, u32 bci);

}  // namespace keyhole
