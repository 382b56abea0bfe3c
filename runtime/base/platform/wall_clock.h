// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock that shows the time of day, as Java reads it. A controlled VM has its own, which begins at a fixed moment.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::hardware {

i64 wall_clock_nanoseconds();  // since 1970

}  // namespace keyhole::hardware
