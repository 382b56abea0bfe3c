// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Optimising tier: registers the tier, and declares the functions that the launcher calls when the VM ends.
#pragma once

namespace keyhole::optimised {

// Registers the tier with the policy (jit/code/policy.h), and the middle tier with it. If the plug-in is needed and
// missing, registers nothing, and prints a warning if -XX:TieredStopAtLevel or -XX:CodeImage was given. Called before
// baseline::initialize().
void initialize();
// Logs the deoptimizations that are not logged yet (-Xlog:deoptimization=debug), and the totals of all compilations
// (-Xlog:jit=debug). Called when the VM ends.
void log_exits();
// Writes the file of -XX:CodeImage. Called when the VM ends.
void save_image();

}  // namespace keyhole::optimised
