// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values in the locals at a loop's header. Compiled code that is entered there reads the locals from their
// stack slots, which have no types.
#pragma once

#include <vector>

#include "vm/verify/slot_types.h"

namespace keyhole {

// The kinds before the instruction at `bci`, where a block begins. The method is verified. Empty: no path reaches it.
std::vector<SlotKind> local_kinds_at(const Method* method, u32 bci);

}  // namespace keyhole
