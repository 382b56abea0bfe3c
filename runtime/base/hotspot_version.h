// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The HotSpot release whose command line Keyhole accepts: the library's, or the last long-term release before it.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

enum class HotSpot : u8 { v17, v21, v25 };

}  // namespace keyhole
