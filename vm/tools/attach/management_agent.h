// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the agent to which external JMX clients connect: jdk.internal.agent.Agent of the module jdk.management.agent.
//
//   -Dcom.sun.management.jmxremote.port=N, and all properties     startAgent() before the program's main
//   that begin like that
//   jcmd PID ManagementAgent.start, start_local, stop, status     its methods of these names
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole::attach {

// Called while the VM starts.
void add_management_agent_commands();
bool wants_management_agent(const std::vector<std::pair<std::string, std::string>>& properties);  // -Dname=value
// Starts the agent if the command line requests it. If the agent's own startup fails, the agent's Java code
// exits the process. Returns false if an exception is pending.
[[nodiscard]] bool start_management_agent(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::attach
