// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's side of a recording. Implements -XX:StartRecording= and jcmd's commands Recording.start, .dump and .stop.
// Provides the recorder, a lower layer, with methods and the names of threads.
#pragma once

#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::recording {

// Starts a recording if the flags request one. Must be called before the locking algorithm is chosen, because handlers
// and compiled code depend on whether locks are recorded. Returns the empty string, or the error.
std::string begin();
void add_commands();
// Called at the end of the program. If a recording is active, records the names of the remaining threads and closes the
// file.
void end(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::recording
