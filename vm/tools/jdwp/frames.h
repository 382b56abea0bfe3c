// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of a suspended thread. A frame's id is its place, and commands search it in the thread's stack each time.
// World stopped.
#pragma once

#include "vm/frames/layout/virtual_frame.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {

struct ThreadArgument {
  JavaThread* thread = nullptr;  // null without error: it has not begun, or has ended
  Object* object = nullptr;
  Error error = Error::None;
};
ThreadArgument thread_argument(u64 id) TOUCHES_OBJECTS;
// Finds a suspended thread. Errors: InvalidThread when it is not alive; ThreadNotSuspended.
ThreadArgument suspended_thread(u64 id) TOUCHES_OBJECTS;

struct FrameArgument {
  VirtualFrame frame = {};
  Error error = Error::None;
};
FrameArgument frame_of(JavaThread* thread, u64 frame_id);

void write_location(Writer& out, const VirtualFrame& frame) TOUCHES_OBJECTS;
// Writes a location. A null method writes the location that stands for none.
void write_location(Writer& out, const Method* method, i32 bci) TOUCHES_OBJECTS;

}  // namespace keyhole::jdwp
