// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method entries: the possible values of Method::entry, to which an invoke jumps. At an entry tos is the method, sp
// points to the last argument, frame and pc are still the caller's (pc points to the invoke), and operand a of the
// instruction word is the number of argument slots.
//
//   fresh method      first call                  afterwards
//   bytecode          decode -> its real entry    interpreted, synchronized (locking_handlers.h), or an entry without
//                                                 frame (intrinsics.h)
//   native            find its C++ function       native_{void,value,wide}, native_synchronized, or an entry into which
//                                                 the function is inlined (native_methods.h)
//   abstract          AbstractMethodError         the same
// Entries of bytecode methods that make a frame are also safepoint polls (enter_slowly in handlers_entry.cpp).
//
// An entry that cannot make its frame (stack overflow, no native body, abstract) throws in the caller's frame, with the
// arguments still on its operand stack.
#pragma once

#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

HANDLER(entry_decode);
HANDLER(entry_link_native);
HANDLER(entry_abstract);
HANDLER(entry_interpreted);
HANDLER(entry_object_initializer);  // the entry of Object.<init>: makes no frame if the object's class has no finalizer
HANDLER(entry_native_void);
HANDLER(entry_native_value);
HANDLER(entry_native_wide);
HANDLER(entry_native_synchronized);
HANDLER(entry_getter_boolean);  // aload_0, getfield, return
HANDLER(entry_getter_int);
HANDLER(entry_getter_long);
HANDLER(entry_getter_reference);
#define INTRINSIC(name, class_name, method, descriptor) HANDLER(intrinsic_##name);
#include "vm/interpreter/intrinsics.def"
#undef INTRINSIC

inline MethodEntry as_method_entry(Handler handler) { return reinterpret_cast<MethodEntry>(handler); }

// The entry that executes a native method whose function is known.
Handler native_entry_of(const Method* method);

}  // namespace keyhole::interpreter
