// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's own counters (runtime/base/process/perf_data.h), which jps, jcmd -l and VirtualMachine.list show.
#pragma once

#include <string>

namespace keyhole::attach {

// Publishes the counters. Called when the VM has booted. `command` is the value of sun.java.command.
void publish_perf_counters(const std::string& command);

}  // namespace keyhole::attach
