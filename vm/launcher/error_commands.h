// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:OnError=: commands to run after a crash report.
#pragma once

#include <string>

namespace keyhole {

// At the start, while memory can be allocated.
void prepare_error_commands(const std::string& commands);
// In the crash, at the end of the report: on stderr java's header and the commands, each run by /bin/sh and awaited.
void run_error_commands();

}  // namespace keyhole
