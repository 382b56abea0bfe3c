// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the data races of one execution: pairs of accesses to one location, at least one of them a write, that no
// synchronisation orders.
//
// Each strand has a vector clock, and each synchronising location has one. A releasing operation joins the strand's
// clock into the location's clock. An acquiring operation joins the location's clock into the strand's clock. The
// columns of runtime/base/controlled/kinds.def say which operations release and acquire. An access happens before a
// strand's event if the strand's clock covers the access.
//
// With store buffers, a store counts where it enters the buffer; its flush is no access.
//
// R1: if a happens-before edge is not recorded, ordered accesses look like a race. At worst, the search then switches
//     threads at a place where it need not.
// R2: if no execution of a search shows a race at a place, the search need not switch threads there. Synchronisation
//     orders the accesses at that place, and the search already tries all orders of the synchronisation (CHESS;
//     Musuvathi, Qadeer, PLDI 2007).
#pragma once

#include <functional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

// Calls found() with the place of each plain access that is part of a race.
void find_races(const Execution& execution, const std::function<void(u64 place)>& found);

}  // namespace keyhole::explore
