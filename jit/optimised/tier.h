// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Optimising tier: its registration, and the functions that the launcher calls when the VM ends.
#pragma once

namespace keyhole::optimised {

// Registers the tier with the policy (jit/code/policy.h). Without a plug-in it does not, and prints a warning if
// -XX:TieredStopAtLevel=4 was given. Call it before baseline::initialize().
void initialize();
// Logs the deoptimizations that were not logged yet (-Xlog:deoptimization=debug), and the totals (-Xlog:jit=debug).
// Called when the VM ends.
void log_exits();
// Writes the file of -XX:CodeImage. Called when the VM ends.
void save_image();

}  // namespace keyhole::optimised
