// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Who counts as a caller. A method that asks who calls it (@CallerSensitive) means whoever wrote the call, also where
// Method.invoke or a method handle carries it.
#pragma once

namespace keyhole {

class Method;

// Frames of Method.invoke, of its accessors, and hidden ones of the library and of what the VM generates.
bool carries_reflective_call(const Method* method);

}  // namespace keyhole
