// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints uncaught Java exceptions in the format of java.
#pragma once

#include <string_view>

#include "runtime/threads/handles.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// Calls Throwable.printStackTrace().
void print_stack_trace(JavaThread* thread, Handle exception) MAY_SAFEPOINT;
// Clears the pending exception and prints it: Exception in thread "NAME" ...
void print_exception_of(JavaThread* thread, std::string_view thread_name) MAY_SAFEPOINT;

}  // namespace keyhole
