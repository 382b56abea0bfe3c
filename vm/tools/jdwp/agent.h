// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The debugger's agent: it parses the option, connects to the debugger, and answers commands in one thread until the
// debugger disconnects.
//
//   read_options   errors in -agentlib:jdwp=...                        before the VM starts
//   start          connects, or listens; VM_START; with suspend=y      the VM has started, nothing of the program is
//                  the caller sleeps until the debugger resumes it     loaded
//   vm_dies        VM_DEATH                                            after the shutdown hooks
//
// Without the option, the agent costs only one load whenever a thread begins or ends or a class is linked
// (vm/link/debugger.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp {

// Parses the options. `options` has the text after each "jdwp=" of the command line; more than one is an error. Returns
// an empty string, or java's error message for stderr.
std::string read_options(const std::vector<std::string>& options, bool& wants_help);

// Facts that the debugger can query, known when the VM starts.
struct VmFacts {
  std::string class_path, library_version;
};
// Starts the agent. If the agent cannot connect, the process ends, as with java. Returns false if an exception is
// pending.
[[nodiscard]] bool start(JavaThread* thread, const VmFacts& facts) MAY_SAFEPOINT;
void vm_dies(JavaThread* thread) MAY_SAFEPOINT;

const VmFacts& vm_facts();

bool has_debugger();
// Closes the connection. Any thread that is not in managed state may call it.
void hang_up();
void send_event(std::span<const u8> composite);

}  // namespace keyhole::jdwp
