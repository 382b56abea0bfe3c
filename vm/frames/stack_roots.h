// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// References on Java stacks: for the collector, and by frame for heap dumps.
#pragma once

#include "gc/roots.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::interpreter {

// Registers the stacks with the collector, which then asks for the references on them. Called once, while the VM
// starts.
void register_stack_roots();

// Reports every live reference in the thread's frames, by frame maps. The world is stopped, or the thread is the
// calling one.
void visit_stack_roots(JavaThread* thread, gc::RootVisitor& visitor);
// Reports the references frame by frame. `frame` counts from the innermost as virtual_frames does; -1 means the
// arguments of a call from C++. The world is stopped.
void visit_stack_roots_by_frame(JavaThread* thread, void (*visit)(Object* object, i32 frame, void* context),
                                void* context);

}  // namespace keyhole::interpreter
