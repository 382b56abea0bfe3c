// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which frames count as callers. A method that asks for its caller (@CallerSensitive) wants the code that
// contains the call, even if the call goes through Method.invoke or a method handle.
#pragma once

namespace keyhole {

class Method;

// Reflection frames are ignored by stack walks for callers: frames of Method.invoke, of its accessors, and hidden
// frames of the library and of code that the VM generates.
bool is_reflection_frame(const Method* method);

}  // namespace keyhole
