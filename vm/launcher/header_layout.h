// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the executable: there is one for each header layout, and the flags may require another than the one that was
// started.
//
//   keyhole           -XX:+UseCompactObjectHeaders (default)
//   keyhole-classic   -XX:-UseCompactObjectHeaders
//   keyhole-tiny      -XX:+UseTinyObjectHeaders
//
// All lie in one folder and are the same program, compiled over another runtime/object/layout_*.h: so no code checks at
// run time where the klass of an object is.
#pragma once

#include <string>

namespace keyhole {

// Returns the empty string when this is the right one; otherwise replaces the process by the right one (execv, same
// arguments), or returns why it cannot.
std::string become_executable_of_layout(char** arguments);

}  // namespace keyhole
