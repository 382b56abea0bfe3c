// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Processors that this process can use, as java counts them: those of its affinity mask, but no more than the quota of
// its control group, rounded up. -XX:ActiveProcessorCount and -XX:-UseContainerSupport change the count.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::hardware {

// The count as it is now: mask and quota may change while the process runs. The quota is read again after 20 ms, as in
// java. Any thread.
u32 available_processors();

// Counts without the quota from now on. Called before other threads exist.
void ignore_control_group();

}  // namespace keyhole::hardware
