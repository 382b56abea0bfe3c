// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes figures about a recording's locks.
//
// The hottest objects are those that threads have waited for longest, in whole milliseconds; among equals, those that
// were taken most often.
#pragma once

#include <string>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// Computes the profile of a recording. `problem`: empty, or why the file could not be read to its end.
LockProfile profile_of(const std::string& recording, std::string& problem);

}  // namespace keyhole::compare
