// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations for tools: threaddump, jcmd, load ... Diagnostic commands are arguments of "jcmd".
#pragma once

#include <string>

#include "runtime/threads/java_thread.h"
#include "vm/tools/attach/request.h"

namespace keyhole::attach {

struct Answer {
  i32 result = 0;  // 0: done; -1: the text is the reason
  std::string text;
};

// Performs the operation. Managed. Leaves no exception pending.
Answer perform(JavaThread* thread, const Request& request) TOUCHES_OBJECTS;

}  // namespace keyhole::attach
