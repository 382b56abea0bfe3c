// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What kinds of values the locals hold at the header of a loop: compiled code that is entered there reads them from
// their homes, which do not tell.
#pragma once

#include <vector>

#include "vm/verify/slot_types.h"

namespace keyhole {

// Before the instruction at `bci`, where a block begins; the method is verified. Empty: it is reached by no path.
std::vector<SlotKind> local_kinds_at(const Method* method, u32 bci);

}  // namespace keyhole
