// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Agents written in Java that a tool loads into the running VM: VirtualMachine.loadAgent.
#pragma once

#include <string>

#include "vm/tools/attach/operations.h"

namespace keyhole::attach {

// Loads an agent. `options`: "agent.jar" or "agent.jar=options of the agent". The answer is "return code: N", where N
// is the result of Agent_OnAttach. If the class library has no java.instrument, N is -1 and a text says so. Called in
// managed state on the thread Attach Listener. May leave an exception pending.
Answer load_java_agent(JavaThread* thread, const std::string& options) MAY_SAFEPOINT;

}  // namespace keyhole::attach
