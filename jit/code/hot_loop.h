// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hot loops: chooses the loop of a method that gets OSR code, by samples or by counters of backward branches.
#pragma once

#include <span>

#include "vm/metadata/method.h"

namespace keyhole::tiers {

// Returns the bci of the header of the loop that contains most of `bcis`; a bci in nested loops counts for the
// innermost one. Returns CompileRequest::no_loop if none of the bcis is in a loop, or if the method has no MethodData.
i32 loop_seen_most(const Method* method, std::span<const u32> bcis);
// Returns the bci of the header of the loop for which most backward branches were counted, or CompileRequest::no_loop.
i32 loop_run_most(const Method* method);
// Whether the profile has counted a backward branch of the loop whose header has this bci.
bool has_gone_round(const Method* method, i32 header);

}  // namespace keyhole::tiers
