// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the executable of the header layout. Each layout has its own executable, and the flags may require another
// one than was started.
//
//   keyhole           -XX:+UseCompactObjectHeaders (default)
//   keyhole-classic   -XX:-UseCompactObjectHeaders
//   keyhole-tiny      -XX:+UseTinyObjectHeaders
//
// All lie in one folder and are the same program, compiled with different runtime/object/layout_*.h. So the place of an
// object's klass is known when the VM is compiled, and no code decides it at run time.
#pragma once

#include <string>

namespace keyhole {

// Returns an empty string when the running executable is the right one. Otherwise replaces the process by the right one
// (execv, same arguments), or returns why that is impossible.
std::string become_executable_of_layout(char** arguments);

// The option that chooses the running executable: "-XX:+UseCompactObjectHeaders" ...
std::string flag_of_own_layout();

}  // namespace keyhole
