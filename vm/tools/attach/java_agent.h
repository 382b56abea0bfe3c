// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Agents written in Java that a tool loads into the running VM: VirtualMachine.loadAgent.
#pragma once

#include <string>

#include "vm/tools/attach/operations.h"

namespace keyhole::attach {

// Loads an agent. `options`: "agent.jar" or "agent.jar=options of the agent". The answer is "return code: N", the
// result of Agent_OnAttach; -1 and a text if the library has no java.instrument. Managed, on the Attach Listener
// thread. May leave an exception pending.
Answer load_java_agent(JavaThread* thread, const std::string& options) MAY_SAFEPOINT;

}  // namespace keyhole::attach
