// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising tier, seen from outside.
#pragma once

namespace keyhole::optimised {

// The tier registers itself with the policy (jit/code/policy.h). Without a plug-in it does not, and says so when
// -XX:TieredStopAtLevel=4 was given. Before baseline::initialize().
void initialize();
// At the end: what -Xlog:deoptimization=debug has not said yet, and the totals of -Xlog:jit=debug.
void log_exits();
// At the end: -XX:CodeImage.
void save_image();

}  // namespace keyhole::optimised
