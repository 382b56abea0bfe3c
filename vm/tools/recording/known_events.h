// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording whose events mean something. The recorder's reader has checked frames and kinds; what a field's number
// stands for is known to the VM's parts: a step of a lock, a state of a region.
#pragma once

#include <string>

#include "runtime/recorder/recording.h"

namespace keyhole::recording {

// As recorder::read_recording; events with values that no VM writes are left out, and `problem` says so.
recorder::Recording read_known_events(const std::string& path);

}  // namespace keyhole::recording
