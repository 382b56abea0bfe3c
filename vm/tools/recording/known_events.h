// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a recording and drops events with unknown values. The recorder's reader checks frames and kinds only; the
// meaning of a field's number (a step of a lock, a state of a region) is known to higher layers.
#pragma once

#include <string>

#include "runtime/recorder/recording.h"

namespace keyhole::recording {

// Reads a recording like recorder::read_recording, but drops events with values that no VM writes. `problem` says that
// events were dropped.
recorder::Recording read_known_events(const std::string& path);

}  // namespace keyhole::recording
