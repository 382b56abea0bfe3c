// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// References on Java stacks, by frame: for heap dumps. The collector's visitor is declared in interpreter.h.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::interpreter {

// frame: counted from the innermost as java_views does, -1 for the arguments of a call from C++. World stopped.
void visit_stack_roots_by_frame(JavaThread* thread, void (*visit)(Object* object, i32 frame, void* context),
                                void* context);

}  // namespace keyhole::interpreter
