// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:OnError=: commands to run after a crash report.
#pragma once

#include <string>

namespace keyhole {

// Copies the commands at the start, while memory can be allocated.
void prepare_error_commands(const std::string& commands);
// Runs the commands in the crash, after the report, by /bin/sh one after the other. Prints java's header and each
// command on stderr.
void run_error_commands();

}  // namespace keyhole
