// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes figures about a recording's locks. Only the hottest objects include the exclusive locks of
// java.util.concurrent; a thread waits for one from its first park for it until it acquires it. All other figures are
// about monitors, whose mode the comparison changes.
//
// Objects are ordered by the total time that threads waited for them, in whole milliseconds, and then by the number of
// acquisitions; the hottest come first.
#pragma once

#include <string>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// Computes the profile of a recording. `problem`: empty, or why the file could not be read to its end.
LockProfile profile_of(const std::string& recording, std::string& problem);

}  // namespace keyhole::compare
