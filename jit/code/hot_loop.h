// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hot loops: chooses the loop of a method that gets OSR code, by samples or by counters of backward branches.
#pragma once

#include <span>

#include "vm/metadata/method.h"

namespace keyhole::tiers {

// Assigns each of `bcis` to the innermost loop around it, and returns the bci of the header of the loop with most of
// them. Returns CompileRequest::no_loop if none is in a loop, or if the method has no MethodData.
i32 loop_seen_most(const Method* method, std::span<const u32> bcis);
// Returns the bci of the header of the loop with most counted backward branches, or CompileRequest::no_loop.
i32 loop_run_most(const Method* method);
// Whether the profile has counted a backward branch of the loop whose header has this bci.
bool has_gone_round(const Method* method, i32 header);

}  // namespace keyhole::tiers
