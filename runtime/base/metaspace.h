// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How much of the metaspace is in use: chunks that arenas hold.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::metaspace {

// Any thread.
usize used_bytes();
usize peak_bytes();   // since the start, or since forget_peak
void forget_peak();
// Can arenas take so many bytes more? What they ask for in vain ends the VM.
bool has_room(usize bytes);

}  // namespace keyhole::metaspace
