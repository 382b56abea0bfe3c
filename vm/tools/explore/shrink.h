// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shrinks the script of a failure (delta debugging): removes steps, first halves of the script and at last single
// steps, as long as the program still fails in the same way.
#pragma once

#include <functional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

// fails(script) executes the script. If the program fails in the same way, fails() replaces the script by the one that
// the execution recorded, which may have fewer steps, and returns true. is_late() returns whether the time is up.
void shrink(std::vector<Step>& script, const std::function<bool(std::vector<Step>& script)>& fails,
            const std::function<bool()>& is_late);

}  // namespace keyhole::explore
