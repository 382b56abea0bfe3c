// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's own counters (runtime/base/perf_data.h), which jps, jcmd -l and VirtualMachine.list show.
#pragma once

#include "vm/launcher/vm.h"

namespace keyhole::attach {

// When the VM has booted.
void publish_perf_counters(const StartOptions& options);

}  // namespace keyhole::attach
