// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising tier, seen from outside.
#pragma once

namespace keyhole::optimised {

// With -XX:TieredStopAtLevel=4: the tier registers itself with the policy (jit/code/policy.h), or warns that there is
// no plug-in. Before baseline::initialize().
void initialize();
// At the end: what -Xlog:deoptimization=debug has not said yet, and the totals of -Xlog:jit=debug.
void log_exits();

}  // namespace keyhole::optimised
