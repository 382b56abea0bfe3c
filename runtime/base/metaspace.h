// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The metaspace in use: chunks that arenas hold.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::metaspace {

// The bytes in use. Called by any thread.
usize used_bytes();
usize peak_bytes();  // peak since the start, or since forget_peak
void forget_peak();
// Whether arenas can take this many more bytes. The VM ends if an arena needs memory that it cannot get.
bool has_room(usize bytes);

}  // namespace keyhole::metaspace
