// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The debugger's agent: from the option to a connection, and one thread that answers commands until the debugger
// disconnects.
//
//   read_options   errors in -agentlib:jdwp=...                        before the VM starts
//   start          connects, or listens; VM_START; with suspend=y      the VM has started, nothing of the program is
//                  the caller sleeps until the debugger resumes it     loaded
//   vm_dies        VM_DEATH                                            after the shutdown hooks
//
// Without the option the agent costs only one load at each event of a thread or a class (vm/link/debugger.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp {

// Reads the options. `options` has the text after each "jdwp="; only one agent is allowed. Returns an empty string, or
// java's error for stderr.
std::string read_options(const std::vector<std::string>& options, bool& wants_help);

// Facts about the VM's start, for the debugger.
struct VmFacts {
  std::string class_path, library_version;
};
// Starts the agent. If it cannot connect, the process ends, as java's does. False: an exception is pending.
[[nodiscard]] bool start(JavaThread* thread, const VmFacts& facts) MAY_SAFEPOINT;
void vm_dies(JavaThread* thread) MAY_SAFEPOINT;

const VmFacts& vm_facts();

bool has_debugger();
// Closes the connection. Called by any thread that is not managed.
void hang_up();
void send_event(std::span<const u8> composite);

}  // namespace keyhole::jdwp
