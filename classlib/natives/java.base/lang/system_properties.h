// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The system properties that the VM contributes: those of the platform, java.vm.*, and -D of the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace keyhole::natives {

using PropertyList = std::vector<std::pair<std::string, std::string>>;

// Called before the VM boots. `properties`: -Dname=value in order; the last one of a name counts. `class_path`:
// java.class.path. `command`: sun.java.command.
void set_system_properties(const PropertyList& properties, const std::string& class_path, const std::string& command);
// The VM's own properties, without the command line.
PropertyList properties_of_vm();

// Sets the result of VM.getRuntimeArguments: the options of the command line, as given.
void set_runtime_arguments(const std::vector<std::string>& options);
const std::vector<std::string>& runtime_arguments();
std::string joined_runtime_arguments();  // a blank between two
// The command that set_system_properties got.
const std::string& java_command();
const std::string& java_class_path();

}  // namespace keyhole::natives
