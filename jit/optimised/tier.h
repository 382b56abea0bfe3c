// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Optimising tier: registration, and what the launcher calls at the end.
#pragma once

namespace keyhole::optimised {

// Registers the tier with the policy (jit/code/policy.h). Without a plug-in it does not, and prints a warning if
// -XX:TieredStopAtLevel=4 was given. Call it before baseline::initialize().
void initialize();
// At the end of the VM: logs the deoptimizations that were not logged yet (-Xlog:deoptimization=debug), and the totals
// (-Xlog:jit=debug).
void log_exits();
// At the end of the VM: writes the file of -XX:CodeImage.
void save_image();

}  // namespace keyhole::optimised
