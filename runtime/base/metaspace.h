// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How much of the metaspace is in use: chunks that arenas hold.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::metaspace {

usize used_bytes();   // any thread

}  // namespace keyhole::metaspace
