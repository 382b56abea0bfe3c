// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.arraycopy, as far as it needs no check of each element: the intrinsics of the interpreter and of the
// optimising tier.
#pragma once

#include "runtime/object/object.h"

namespace keyhole::interpreter {

// False: it must throw, or check each element; nothing has been copied. No safepoint.
bool copy_array(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) TOUCHES_OBJECTS;

}  // namespace keyhole::interpreter
