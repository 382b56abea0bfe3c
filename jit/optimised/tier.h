// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Optimising tier: registers the tier, and declares the functions that the launcher calls when the VM ends.
#pragma once

namespace keyhole::optimised {

// Registers one Tier object, which drives both the optimising tier and the middle tier, with the policy
// (jit/code/policy.h). If LLVM is needed and the plug-in's file is missing, registers nothing, and warns if
// -XX:TieredStopAtLevel or -XX:CodeImage was given. Called before baseline::initialize().
void initialize();
// Logs the deoptimizations since the last log (-Xlog:deoptimization=debug), and the totals of all compilations
// (-Xlog:jit=debug). Called when the VM ends.
void log_exits();
// Writes the file of -XX:CodeImage. Called when the VM ends.
void save_image();

}  // namespace keyhole::optimised
