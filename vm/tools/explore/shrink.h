// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shrinks the script of a failure: takes steps out, halves first, then single ones, while the program still fails in
// the same way.
#pragma once

#include <functional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

// fails(): executes the script. If it fails in the same way, it replaces the script by that of the execution, which
// may have fewer steps, and returns true. is_late(): the time is up.
void shrink(std::vector<Step>& script, const std::function<bool(std::vector<Step>& script)>& fails,
            const std::function<bool()>& is_late);

}  // namespace keyhole::explore
