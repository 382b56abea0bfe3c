// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices at several levels of detail: few enough of each that a page can draw all that it sees.
//
//   exact            |==|   |=| |==|  |=|                  |===============|
//   a coarser level  |=== of all these, in shares ===|     |===============|
//
// L1: at a level of width w a thread's slices shorter than w, with gaps shorter than w between them, become one
//     that is cut when it is as long as w. So there are at most about two for each w of time.
// L2: what is as long as w stays as it is, and so does one that has no neighbours to be merged with.
// L3: the coarsest width is the thousandth part of the recording, each next one an eighth of that before; levels end
//     where they would be hardly shorter than the exact one.
#pragma once

#include <vector>

#include "vm/tools/look/slices.h"

namespace keyhole::look {

struct Level {
  i64 width;                   // nanoseconds; 0: exact
  std::vector<Slice> all;    // in the order of their beginnings
};

// The coarsest first, the exact one last. `exact` as slices_of returns them.
std::vector<Level> levels_of(std::vector<Slice> exact, i64 nanoseconds);

}  // namespace keyhole::look
