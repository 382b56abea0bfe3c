// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Races of one execution: pairs of accesses to one location, at least one a write, that no synchronisation orders.
//
// Each strand has a vector clock, and so has each location that synchronises: an operation that releases adds the
// strand's clock to the location's, one that acquires adds the location's to the strand's (the columns of
// runtime/base/controlled/kinds.def). An access is before a strand's event if the strand's clock covers it.
//
// R1: edges that are not recorded leave more pairs unordered, so at worst a place is a choice without need.
// R2: a search whose executions show no race at a place outside of the table has no need of choices there: another
//     order of such accesses is the order of the synchronisation that separates them (CHESS; Musuvathi, Qadeer, PLDI
//     2007).
#pragma once

#include <functional>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

// Calls found() for the place of each plain access that races.
void find_races(const Execution& execution, const std::function<void(u64 place)>& found);

}  // namespace keyhole::explore
