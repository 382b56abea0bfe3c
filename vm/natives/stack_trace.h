// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackTraceElements from (method, bci) pairs.
#pragma once

#include "vm/natives/support.h"

namespace keyhole::natives {

// Fills an existing StackTraceElement; false when something could not be allocated.
[[nodiscard]] bool fill_stack_trace_element(JavaThread* thread, Handle element, const Method* method, i32 bci);

}  // namespace keyhole::natives
