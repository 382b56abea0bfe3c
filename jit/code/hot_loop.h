// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which loop of a method is compiled for a frame that is in it: by samples, or by counts.
#pragma once

#include <span>

#include "vm/metadata/method.h"

namespace keyhole::tiers {

// bci of the header of the innermost loop that most of `bcis` are in; CompileRequest::no_loop when they are in none.
// The method has MethodData.
i32 loop_seen_most(const Method* method, std::span<const u32> bcis);
// ... of the loop with most backward branches.
i32 loop_run_most(const Method* method);
// Has it been counted that the loop with this header went round?
bool has_gone_round(const Method* method, i32 header);

}  // namespace keyhole::tiers
