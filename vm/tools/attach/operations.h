// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations that tools can request: threaddump, jcmd, load and so on. A diagnostic command is the argument of the
// operation "jcmd".
#pragma once

#include <string>

#include "runtime/threads/java_thread.h"
#include "vm/tools/attach/request.h"

namespace keyhole::attach {

struct Answer {
  i32 result = 0;  // 0: success; -1: failure, and the text says why
  std::string text;
};

// Performs the operation. Must be called in managed state. Leaves no exception pending.
Answer perform(JavaThread* thread, const Request& request) TOUCHES_OBJECTS;

}  // namespace keyhole::attach
