// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of one method with boxed arguments, as code: for reflection and direct method handles that are called often.
//
//   final class Point$$Call implements BiFunction {          hidden, nestmate of Point: what is private may be called
//     public Object apply(Object receiver, Object arguments) {
//       Object[] all = (Object[]) arguments;
//       Object a0 = all[0], a1 = all[1];
//       if (!(receiver instanceof Point)) return this;       Checked: once for each argument
//       return ((Point) receiver).distance((Integer) a0, (String) a1);          boxed; null for void
//     }
//   }
//
// Returning `this` means that the call has not been done: the native then does it, converts arguments or refuses, with
// the library's exceptions and frames. The interface (BiFunction) is one that every class loader finds.
//
// C1: Trusted arguments come from a method handle: its type has been checked, boxes are exact, and the receiver is the
//     first argument. The code checks only whether the receiver is null.
// C2: Checked arguments come from anywhere. The code reads each one once and then checks its class, because another
//     thread may change the array meanwhile.
#pragma once

#include <span>

#include "vm/link/indy/lambda.h"

namespace keyhole::indy {

enum class CallArguments : u8 { Trusted, Checked };

// Makes an instance of the class that calls the method, or the constructor. The class is generated at the first call
// and lives as long as the method's class. Null, without an exception, when the native must do the call: the method
// asks for its caller, its class has no name or is abstract, or the class could not be generated. `parameters`: the
// classes of the parameters, for Checked arguments.
Object* make_direct_call(JavaThread* thread, Method* method, ReferenceKind kind, CallArguments arguments,
                         std::span<const Klass* const> parameters) MAY_SAFEPOINT;

}  // namespace keyhole::indy
