// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The system properties that the VM contributes: what the platform says, what java.vm.* are, and the command line's -D.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace keyhole::natives {

// Before the VM boots. `properties`: -Dname=value in order, the last one of a name wins. `class_path`: java.class.path.
// `command`: sun.java.command.
void set_system_properties(const std::vector<std::pair<std::string, std::string>>& properties, const std::string& class_path,
                           const std::string& command);

// What VM.getRuntimeArguments answers: the options of the command line, as given.
void set_runtime_arguments(const std::vector<std::string>& options);
const std::vector<std::string>& runtime_arguments();

}  // namespace keyhole::natives
