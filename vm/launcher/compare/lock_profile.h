// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording's locks in numbers.
//
// The hottest objects are those that threads have waited for longest, in whole milliseconds; among equals, those that
// were taken most often.
//
// Jain's index of an object: (sum of x)^2 / (n x sum of x^2) over how often each of n threads took it while all of them
// competed for it, that is from the moment when the last of them had come to that when the first one was done. Threads
// that took it less than a tenth as often as the mean do not count as competitors.
#pragma once

#include <string>

#include "vm/launcher/compare/figures.h"

namespace keyhole::compare {

// `problem`: empty, or why the file could not be read to its end.
LockProfile profile_of(const std::string& recording, std::string& problem);

}  // namespace keyhole::compare
