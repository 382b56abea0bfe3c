// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Agents written in Java that a tool loads into the running VM: VirtualMachine.loadAgent.
#pragma once

#include <string>

#include "vm/tools/attach/operations.h"

namespace keyhole::attach {

// `options`: "agent.jar" or "agent.jar=options of the agent". The result of Agent_OnAttach is reported as "return code:
// N"; -1 and a text: there is no library for agents. Managed, on the Attach Listener thread; may leave an exception
// pending.
Answer load_java_agent(JavaThread* thread, const std::string& options) MAY_SAFEPOINT;

}  // namespace keyhole::attach
