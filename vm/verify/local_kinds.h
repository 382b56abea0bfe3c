// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values in the locals at the header of a loop. Compiled code that is entered there reads them from their
// stack slots, which have no types.
#pragma once

#include <vector>

#include "vm/verify/slot_types.h"

namespace keyhole {

// Before the instruction at `bci`, where a block begins; the method is verified. Empty: it is reached by no path.
std::vector<SlotKind> local_kinds_at(const Method* method, u32 bci);

}  // namespace keyhole
