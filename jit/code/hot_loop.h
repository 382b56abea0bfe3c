// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hot loops: chooses the loop of a method that gets code of its own, by samples or by counts.
#pragma once

#include <span>

#include "vm/metadata/method.h"

namespace keyhole::tiers {

// The innermost loop that most of `bcis` are in, as the bci of its header; CompileRequest::no_loop if they are in none.
// The method has MethodData.
i32 loop_seen_most(const Method* method, std::span<const u32> bcis);
// The loop with most backward branches, as the bci of its header.
i32 loop_run_most(const Method* method);
// Has the profile counted a backward branch of the loop with this header?
bool has_gone_round(const Method* method, i32 header);

}  // namespace keyhole::tiers
