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

// Starts a recording if the flags request one. Called before the locking algorithm is chosen, because handlers and code
// depend on it. Returns the empty string, or the error.
std::string begin();
void add_commands();
// Called at the end of the program. Records the names of the remaining threads and closes the file, if there is a
// recording.
void end(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::recording
