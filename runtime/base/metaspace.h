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

}  // namespace keyhole::metaspace
