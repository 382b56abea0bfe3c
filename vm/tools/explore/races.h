// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Races of one execution: pairs of accesses to one location, at least one a write, that no synchronisation orders.
//
// Each strand has a vector clock, and so has each location that synchronises: an operation that releases adds the
// strand's clock to the location's, one that acquires adds the location's to the strand's (the columns of
// runtime/base/controlled/kinds.def). An access is before a strand's event if the strand's clock covers it.
//
// R1: an edge that was not recorded makes ordered accesses look like a race. At worst the search then makes a place a
//     choice that need not be one.
// R2: if no execution of a search shows a race at a place, the search need not switch threads there: synchronisation
//     orders such accesses, and the search tries the orders of the synchronisation (CHESS; Musuvathi, Qadeer, PLDI
//     2007).
#pragma once

#include <functional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

// Calls found() for the place of each plain access that races.
void find_races(const Execution& execution, const std::function<void(u64 place)>& found);

}  // namespace keyhole::explore
