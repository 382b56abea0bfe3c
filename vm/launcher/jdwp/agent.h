// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The debugger's agent: from the option to a connection, and one thread that answers commands until the debugger goes.
//
//   read_options   complaints about -agentlib:jdwp=...                 before the VM starts
//   start          connects, or listens; VM_START; with suspend=y      the VM has started, nothing of the program is
//                  the caller sleeps until the debugger resumes it     loaded
//   vm_dies        VM_DEATH                                            behind the shutdown hooks
//
// Without the option nothing of this exists but one load where something happens to a thread or a class
// (vm/link/debugger.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp {

// `options`: what stood behind "jdwp=", each time that it was there; one agent is all there may be. Empty, or java's
// complaint for stderr.
std::string read_options(const std::vector<std::string>& options, bool& wants_help);

// What the debugger asks about the start of the VM.
struct VmFacts {
  std::string class_path, library_version;
};
// Without a connection the process ends, as java's. False: an exception is pending.
[[nodiscard]] bool start(JavaThread* thread, const VmFacts& facts) MAY_SAFEPOINT;
void vm_dies(JavaThread* thread) MAY_SAFEPOINT;

const VmFacts& vm_facts();

bool has_debugger();
// By anyone, not managed.
void hang_up();
void send_event(std::span<const u8> composite);

}  // namespace keyhole::jdwp
