// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The diagnostic commands that use nothing of the layers above: GC.*, VM.*.
#pragma once

#include <vector>

#include "classlib/natives/java.management/diagnostic_commands.h"

namespace keyhole::natives {

std::vector<DiagnosticCommand> commands_of_vm();  // by name

}  // namespace keyhole::natives
