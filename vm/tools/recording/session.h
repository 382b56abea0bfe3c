// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's side of a recording: -XX:StartRecording=, jcmd's commands Recording.start, .dump and .stop, and what the
// recorder below cannot know: methods and the names of threads.
#pragma once

#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::recording {

// As the flags ask for. Before the locking algorithm is chosen: handlers and code are made for it. Returns the empty
// string, or why it cannot.
std::string begin();
void add_commands();
// The program is over. Names the threads that live on, and closes the file; does nothing without a recording.
void end(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::recording
