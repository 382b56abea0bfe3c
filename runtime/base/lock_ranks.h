// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lock ranks: the rows of runtime/lock_ranks.def as a type. The order in which they may be taken: lock_order.h.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

enum class LockRank : u8 {
#define LOCK(name, guards) name,
#define LEAF(name, guards) name,
#define NESTS(outer, inner, reason)
#include "runtime/lock_ranks.def"
#undef LOCK
#undef LEAF
#undef NESTS
};

}  // namespace keyhole
