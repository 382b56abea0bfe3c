// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Intrinsics: methods whose entry computes the result without a frame.
#pragma once

#include "vm/interpreter/entries.h"

namespace keyhole::interpreter {

// A method with an entry of its own: a row of intrinsics.def.
enum class Intrinsic : u8 {
  none,
#define INTRINSIC(name, class_name, method, descriptor) name,
#define INTRINSIC_TOO(name, class_name, method, descriptor)
#include "vm/interpreter/intrinsics.def"
#undef INTRINSIC
};
// Returns whether an entry without a frame may replace `method`. It may replace only methods of the library that are
// not synchronized and that the program has not replaced. It may replace no method in a VM that is controlled, traces
// bytecodes or detects data races.
bool may_be_intrinsic(const Method* method);
// Returns the row of `method`, or none if `method` has no row. Compilers call this function, too, and emit instructions
// in place of the call.
Intrinsic intrinsic_of(const Method* method);
// Returns the entry that replaces `method`, or null.
Handler intrinsic_entry_of(const Method* method);
// Called when resolution has fused a getfield of `method` with the load before it. `resolved` is the superinstruction
// of the two. If the method only returns this field of its receiver, the function gives it an entry that reads the
// field without a frame.
void use_getter_entry(Method* method, Operation resolved);

}  // namespace keyhole::interpreter
