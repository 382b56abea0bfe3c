// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hot loops: chooses the loop of a method that gets code of its own, by samples or by counts.
#pragma once

#include <span>

#include "vm/metadata/method.h"

namespace keyhole::tiers {

// The bci of the header of the innermost loop that contains most of `bcis`; CompileRequest::no_loop if they are in no
// loop. The method must have MethodData.
i32 loop_seen_most(const Method* method, std::span<const u32> bcis);
// The bci of the header of the loop with most backward branches.
i32 loop_run_most(const Method* method);
// Whether the profile has counted a backward branch of the loop with this header.
bool has_gone_round(const Method* method, i32 header);

}  // namespace keyhole::tiers
