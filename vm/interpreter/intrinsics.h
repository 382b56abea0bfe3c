// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods that are entered without a frame.
#pragma once

#include "vm/interpreter/entries.h"

namespace keyhole::interpreter {

// The entry of intrinsics.def for this method, or null.
Handler find_intrinsic(const Method* method);
// The getfield in `method` has been resolved and, with the load before it, become `resolved`: when that is all the method does
// but returning the value, it needs no frame from now on.
void use_getter_entry(Method* method, Operation resolved);

}  // namespace keyhole::interpreter
