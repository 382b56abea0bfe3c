// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds frames of a suspended thread. A frame's id is its address, which each command searches for in the thread's
// stack. The world must be stopped.
#pragma once

#include "vm/frames/layout/virtual_frame.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {

struct ThreadArgument {
  JavaThread* thread = nullptr;  // null if the thread has not begun or has ended (no error), or with an error
  Object* object = nullptr;
  Error error = Error::None;
};
ThreadArgument thread_argument(u64 id) TOUCHES_OBJECTS;
// Finds a suspended thread. Errors: InvalidThread if the thread is not alive, ThreadNotSuspended.
ThreadArgument suspended_thread(u64 id) TOUCHES_OBJECTS;

struct FrameArgument {
  VirtualFrame frame = {};
  Error error = Error::None;
};
FrameArgument frame_of(JavaThread* thread, u64 frame_id);

void write_location(Writer& out, const VirtualFrame& frame) TOUCHES_OBJECTS;
// Writes a code location. If the method is null, writes the protocol's "no location" (all zeros).
void write_location(Writer& out, const Method* method, i32 bci) TOUCHES_OBJECTS;

}  // namespace keyhole::jdwp
