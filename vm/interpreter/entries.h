// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method entries: what Method::entry can be. An invoke jumps there with the method in tos, sp at the last argument, the caller's
// frame and its invoke as pc.
//
//   fresh method      first call                  afterwards
//   bytecode          decode -> its real entry    interpreted, interpreted_synchronized, or a trivial one without frame
//   native            find its C++ function       native_{void,value,wide}, native_synchronized
//   abstract          AbstractMethodError         the same
//
// An entry that cannot make its frame (stack overflow, no native body, abstract) throws in the caller's frame, with the arguments
// still on its operand stack.
#pragma once

#include "vm/interpreter/handlers.h"

namespace keyhole::interpreter {

HANDLER(entry_decode);
HANDLER(entry_link_native);
HANDLER(entry_abstract);
HANDLER(entry_interpreted);
HANDLER(entry_interpreted_synchronized);
HANDLER(entry_object_initializer);   // Object.<init> of an object without finalizer: no frame at all
HANDLER(entry_native_void);
HANDLER(entry_native_value);
HANDLER(entry_native_wide);
HANDLER(entry_native_synchronized);

inline MethodEntry as_method_entry(Handler handler) { return reinterpret_cast<MethodEntry>(handler); }

}  // namespace keyhole::interpreter
