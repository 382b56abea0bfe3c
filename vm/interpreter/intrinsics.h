// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods that run without a frame.
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
// Whether the method's body is the library's own (not replaced by the program), and bytecode tracing is off.
bool may_be_intrinsic(const Method* method);
// Finds the row for this method. Compilers emit the same instructions in place of a call.
Intrinsic intrinsic_of(const Method* method);
// Its entry, or null.
Handler intrinsic_entry_of(const Method* method);
// Called when the getfield in `method` has been resolved and, with the load before it, has become `resolved`. If the
// method only returns the field's value, its calls need no frame from now on.
void use_getter_entry(Method* method, Operation resolved);

}  // namespace keyhole::interpreter
