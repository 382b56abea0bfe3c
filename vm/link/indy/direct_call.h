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
// `this` means that it has done nothing: the native does it, converts or refuses, with the exceptions and frames of the
// library. The interface is one that each class loader knows.
//
// C1: Trusted arguments are those of a method handle: its type has been checked, boxes are exact, and the receiver is
//     the first of them. Only its being null is asked for.
// C2: Checked arguments come from anywhere. Each is read once, and asked for its class: another thread may change the
//     array meanwhile.
#pragma once

#include <span>

#include "vm/link/indy/lambda.h"

namespace keyhole::indy {

enum class CallArguments : u8 { Trusted, Checked };

// An instance of the method's call, or of its constructor's; the class is made at the first call, and lives as long as
// the method's. Null, without an exception, where the native must go on: the method asks for its caller, its class has
// no name or is abstract, or the class could not be made. `parameters`, of Checked: the classes of the parameters.
Object* make_direct_call(JavaThread* thread, Method* method, ReferenceKind kind, CallArguments arguments,
                         std::span<const Klass* const> parameters) MAY_SAFEPOINT;

}  // namespace keyhole::indy
